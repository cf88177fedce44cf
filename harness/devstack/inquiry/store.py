"""Where conversations are kept: MongoDB, beside the claims of the same product; pictures lie in the same object store."""

from typing import Any

from pymongo import MongoClient
from pymongo.errors import DuplicateKeyError

from harness.devstack.inquiry.talk import Talk
from harness.devstack.stores import AlreadyThere, Conflict, digest

Document = dict[str, Any]


class TalkStore:
    """Conversations, start links and sessions. All methods block; call them from a thread.

    A conversation is kept as one JSON text: columns of a catalogue and arguments of tools may be any words, which names of
    fields in a database may not.
    """

    def __init__(self, uri: str, name: str) -> None:
        self._client: MongoClient[Document] = MongoClient(uri, tz_aware=True, serverSelectionTimeoutMS=5000)
        self._db = self._client[name]

    def close(self) -> None:
        """End the connections."""
        self._client.close()

    def plant(self, request_id: str, seed: str, talk: Talk, start: str) -> str:
        """Store a seed, its empty conversation and the one-time start link; gives the seed as it is now held.

        Raises:
            AlreadyThere: the id was used before.
        """
        try:
            self._db.inquiry_seeds.insert_one({"_id": request_id, "seed": seed})
        except DuplicateKeyError as exc:
            raise AlreadyThere(request_id) from exc
        self.save(talk)
        self._db.inquiry_starts.insert_one({"_id": digest(start), "ref": talk.ref})
        held = self._db.inquiry_seeds.find_one({"_id": request_id})
        return str(held["seed"]) if held else ""

    def use_start(self, start: str, session: str) -> bool:
        """Turn a start link into a session, once; False if the link is unknown or used."""
        found = self._db.inquiry_starts.find_one_and_delete({"_id": digest(start)})
        if not found:
            return False
        self.add_session(session, {"ref": found["ref"]})
        return True

    def add_session(self, session: str, data: Document) -> None:
        """Remember a session: `{"ref"}` of a customer, `{"staff"}` of staff; only a hash of its secret is kept."""
        self._db.inquiry_sessions.insert_one({"_id": digest(session), **data})

    def session(self, session: str | None) -> Document | None:
        """What a session stands for."""
        return self._db.inquiry_sessions.find_one({"_id": digest(session)}) if session else None

    def end_session(self, session: str) -> None:
        """Forget a session."""
        self._db.inquiry_sessions.delete_one({"_id": digest(session)})

    def talk(self, ref: str) -> Talk | None:
        """The conversation of a reference."""
        found = self._db.inquiry_talks.find_one({"_id": ref})
        return Talk.model_validate_json(found["talk"]) if found else None

    def save(self, talk: Talk) -> None:
        """Write a conversation back; the version counts up. Raises Conflict if another writer was first."""
        before = talk.version
        talk.version = before + 1
        document = {"_id": talk.ref, "version": talk.version, "talk": talk.model_dump_json()}
        if before == 0:
            try:
                self._db.inquiry_talks.insert_one({**document, "order": self._db.inquiry_talks.count_documents({})})
            except DuplicateKeyError as exc:
                raise Conflict(talk.ref) from exc
        elif (
            self._db.inquiry_talks.update_one({"_id": talk.ref, "version": before}, {"$set": document}).matched_count
            != 1
        ):
            raise Conflict(talk.ref)

    def talks(self, limit: int = 500) -> list[Talk]:
        """The newest conversations."""
        found = self._db.inquiry_talks.find().sort("order", -1).limit(limit)
        return [Talk.model_validate_json(d["talk"]) for d in found]


class MemoryTalkStore(TalkStore):
    """A `TalkStore` that forgets when it is dropped: for tests and notebooks."""

    def __init__(self) -> None:
        self._seeds: dict[str, str] = {}
        self._starts: dict[str, str] = {}
        self._sessions: dict[str, Document] = {}
        self._talks: dict[str, tuple[int, str]] = {}

    def close(self) -> None:
        """Nothing to end."""

    def plant(self, request_id: str, seed: str, talk: Talk, start: str) -> str:
        """As the real one."""
        if request_id in self._seeds:
            raise AlreadyThere(request_id)
        self._seeds[request_id] = seed
        self.save(talk)
        self._starts[digest(start)] = talk.ref
        return seed

    def use_start(self, start: str, session: str) -> bool:
        """As the real one."""
        ref = self._starts.pop(digest(start), None)
        if ref is None:
            return False
        self.add_session(session, {"ref": ref})
        return True

    def add_session(self, session: str, data: Document) -> None:
        """As the real one."""
        self._sessions[digest(session)] = dict(data)

    def session(self, session: str | None) -> Document | None:
        """As the real one."""
        return self._sessions.get(digest(session)) if session else None

    def end_session(self, session: str) -> None:
        """As the real one."""
        self._sessions.pop(digest(session), None)

    def talk(self, ref: str) -> Talk | None:
        """As the real one."""
        found = self._talks.get(ref)
        return Talk.model_validate_json(found[1]) if found else None

    def save(self, talk: Talk) -> None:
        """As the real one."""
        if (self._talks[talk.ref][0] if talk.ref in self._talks else 0) != talk.version:
            raise Conflict(talk.ref)
        talk.version += 1
        self._talks[talk.ref] = (talk.version, talk.model_dump_json())

    def talks(self, limit: int = 500) -> list[Talk]:
        """As the real one."""
        newest = list(reversed(self._talks.values()))[:limit]
        return [Talk.model_validate_json(text) for _, text in newest]
