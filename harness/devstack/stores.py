"""Where the product keeps things: cases in MongoDB, files in S3."""

import hashlib
import io
import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar
from urllib.parse import urlsplit

import urllib3
from minio import Minio
from minio.error import MinioException, S3Error
from pymongo import MongoClient, ReturnDocument
from pymongo.errors import DuplicateKeyError, PyMongoError

from harness.devstack.claims.case import Case, Customer, to_ms

Document = dict[str, Any]
T = TypeVar("T")
TRIES = 3
PAUSE_S = 0.3
PASSING = frozenset({"RequestTimeTooSkewed", "RequestTimeout", "SlowDown", "ServiceUnavailable", "InternalError"})
"""What an object store answers when it is overloaded, or a request took too long to arrive, and means for now only."""


class StoreFault(Exception):
    """A store is not there or refused; the message is for the operator."""


class AlreadyThere(Exception):
    """A document of this id exists."""


class Conflict(Exception):
    """The case was changed by somebody else since it was read."""


class Database:
    """The product's collections. All methods block; call them from a thread.

    Args:
        uri: MongoDB connection string.
        name: database.
    """

    def __init__(self, uri: str, name: str = "claims") -> None:
        self._client: MongoClient[Document] = MongoClient(uri, tz_aware=True, serverSelectionTimeoutMS=5000)
        self._db = self._client[name]

    def check(self) -> str:
        """Make sure that the server answers; gives "embedded" for the stand-in and "configured" for any other."""
        try:
            self._client.admin.command("ping")
            info = self._client.admin.command("buildInfo")
        except PyMongoError as exc:
            raise StoreFault(f"MongoDB does not answer: {exc}") from exc
        return "embedded" if "nx_27017" in str(info.get("process", "")) else "configured"

    def close(self) -> None:
        """End the connections."""
        self._client.close()

    # customers

    def add_seed(self, request_id: str, seed: Document) -> Document:
        """Store a seed request and give it as the database now holds it. Raises AlreadyThere for a used id."""
        try:
            self._db.seeds.insert_one({"_id": request_id, **seed})
        except DuplicateKeyError as exc:
            raise AlreadyThere(request_id) from exc
        stored = self._db.seeds.find_one({"_id": request_id})
        if stored is None:
            raise StoreFault(f"the seed {request_id} was written and is not there")
        stored.pop("_id")
        return stored

    def add_customer(self, customer: Customer, start: str) -> None:
        """Store a customer and the one-time start link (its hash)."""
        self._db.customers.insert_one({"_id": customer.request_id, **customer.model_dump()})
        self._db.starts.insert_one({"_id": digest(start), "request_id": customer.request_id})

    def customer(self, request_id: str) -> Customer | None:
        """The customer of a request id."""
        found = self._db.customers.find_one({"_id": request_id})
        return Customer.model_validate({k: v for k, v in found.items() if k != "_id"}) if found else None

    def customer_of_case(self, case_ref: str) -> Customer | None:
        """The customer whose case has this reference."""
        found = self._db.customers.find_one({"case_ref": case_ref})
        return Customer.model_validate({k: v for k, v in found.items() if k != "_id"}) if found else None

    def set_signed_in(self, request_id: str) -> None:
        """The customer is signed in from now on."""
        self._db.customers.update_one({"_id": request_id}, {"$set": {"signed_in": True}})

    # sessions

    def use_start(self, start: str, session: str) -> bool:
        """Turn a start link into a session, once; False if the link is unknown or used."""
        found = self._db.starts.find_one_and_delete({"_id": digest(start)})
        if not found:
            return False
        self.add_session(session, {"kind": "customer", "request_id": found["request_id"]})
        return True

    def add_session(self, session: str, data: Document) -> None:
        """Remember a session; only a hash of its secret is kept."""
        self._db.sessions.insert_one({"_id": digest(session), "at": to_ms(datetime.now(UTC)), **data})

    def session(self, session: str | None) -> Document | None:
        """What a session stands for, None for an unknown one."""
        return self._db.sessions.find_one({"_id": digest(session)}) if session else None

    def end_session(self, session: str) -> None:
        """Forget a session."""
        self._db.sessions.delete_one({"_id": digest(session)})

    # cases

    def case(self, ref: str) -> Case | None:
        """The case of a reference."""
        found = self._db.cases.find_one({"_id": ref})
        return Case.load(found) if found else None

    def save(self, case: Case) -> None:
        """Write a case back; the version counts up. Raises Conflict if another writer was first."""
        before = case.version
        case.version = before + 1
        document = case.dump()
        if before == 0:
            try:
                self._db.cases.insert_one(document)
            except DuplicateKeyError as exc:
                raise Conflict(case.ref) from exc
        elif self._db.cases.replace_one({"_id": case.ref, "version": before}, document).matched_count != 1:
            raise Conflict(case.ref)

    def cases(self, query: str = "", limit: int = 500) -> list[Case]:
        """The newest cases; with a query, those of that reference or with these words in their number, however old."""
        in_number = {"number": {"$regex": re.escape(query.upper())}}
        wanted: dict[str, Any] = {"$or": [{"_id": query.casefold()}, in_number]} if query else {}
        return [Case.load(d) for d in self._db.cases.find(wanted).sort("started", -1).limit(limit)]

    def cases_of(self, request_id: str, first: str) -> list[Case]:
        """All cases of one customer: the one with the reference `first`, then the others by their references."""
        found = [Case.load(d) for d in self._db.cases.find({"request_id": request_id})]
        return sorted(found, key=lambda case: (case.ref != first, case.ref))

    def next_number(self, year: int) -> str:
        """A case number never given before."""
        counter = self._db.counters.find_one_and_update(
            {"_id": f"cases-{year}"}, {"$inc": {"n": 1}}, upsert=True, return_document=ReturnDocument.AFTER
        )
        if counter is None:
            raise StoreFault("the counter of case numbers was not given back")
        return f"CLM-{year}-{counter['n']:06d}"


@dataclass(frozen=True)
class S3Settings:
    """How to reach the object store."""

    endpoint: str
    access_key: str
    secret_key: str
    bucket: str = "claims-uploads"


class Files:
    """Uploaded bytes in one bucket. All methods block; call them from a thread."""

    def __init__(self, settings: S3Settings) -> None:
        parts = urlsplit(settings.endpoint if "//" in settings.endpoint else f"http://{settings.endpoint}")
        self._settings = settings
        self._url = f"{parts.scheme}://{parts.netloc}"
        self._client = Minio(
            parts.netloc,
            access_key=settings.access_key,
            secret_key=settings.secret_key,
            secure=parts.scheme == "https",
            region="us-east-1",
            http_client=urllib3.PoolManager(timeout=urllib3.Timeout(connect=5, read=30), retries=False),
        )

    def check(self) -> str:
        """Make sure that the bucket is there; gives "embedded" for the stand-in and "configured" for any other."""
        bucket = self._settings.bucket
        try:
            if not self._client.bucket_exists(bucket):
                self._make(bucket)
        except (MinioException, urllib3.exceptions.HTTPError, OSError, ValueError) as exc:
            raise StoreFault(f"the object store does not answer: {exc}") from exc
        return "embedded" if self._is_stand_in() else "configured"

    def _make(self, bucket: str) -> None:
        try:
            self._client.make_bucket(bucket)
        except S3Error as exc:
            if exc.code not in ("BucketAlreadyOwnedByYou", "BucketAlreadyExists"):
                raise

    def _is_stand_in(self) -> bool:
        if not self._url.startswith("http://"):
            return False
        try:
            with urllib.request.urlopen(f"{self._url}/moto-api/data.json", timeout=5) as answer:  # noqa: S310  (http only)
                return isinstance(json.loads(answer.read()), dict)
        except (urllib.error.URLError, ValueError, OSError):
            return False

    def _tried(self, do: Callable[[], T]) -> T:
        """Do it, a few times if need be. Each time the request is built and signed anew: an old signature has an old time."""
        for left in reversed(range(TRIES)):
            try:
                return do()
            except S3Error as exc:
                if not left or exc.code not in PASSING:
                    raise
            except (urllib3.exceptions.HTTPError, OSError):
                if not left:
                    raise
            time.sleep(PAUSE_S)
        raise AssertionError

    def put(self, key: str, data: bytes, content_type: str) -> None:
        """Store bytes under a key."""
        bucket = self._settings.bucket
        try:
            self._tried(
                lambda: self._client.put_object(bucket, key, io.BytesIO(data), len(data), content_type=content_type)
            )
        except (MinioException, urllib3.exceptions.HTTPError, OSError) as exc:
            raise StoreFault(f"the object store refused a file: {exc}") from exc

    def get(self, key: str) -> bytes:
        """The bytes under a key."""
        try:
            return self._tried(lambda: self._read(key))
        except (MinioException, urllib3.exceptions.HTTPError, OSError) as exc:
            raise StoreFault(f"the object store has no such file: {exc}") from exc

    def _read(self, key: str) -> bytes:
        answer = self._client.get_object(self._settings.bucket, key)
        try:
            return bytes(answer.read())
        finally:
            answer.close()
            answer.release_conn()


def digest(secret: str) -> str:
    """Hash under which a secret is kept."""
    return hashlib.sha256(secret.encode()).hexdigest()
