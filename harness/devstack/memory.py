"""The stores without servers: for tests and notebooks. Documents are copied in and out, as a database does."""

import copy
from typing import Any

from harness.devstack.claims.case import Case, Customer
from harness.devstack.stores import AlreadyThere, Conflict, Database, Files, StoreFault, digest


class MemoryDatabase(Database):
    """A `Database` that forgets when it is dropped."""

    def __init__(self) -> None:
        self._seeds: dict[str, Any] = {}
        self._customers: dict[str, Customer] = {}
        self._starts: dict[str, str] = {}
        self._sessions: dict[str, Any] = {}
        self._cases: dict[str, Any] = {}
        self._number = 0

    def check(self) -> str:
        """Always there."""
        return "embedded"

    def close(self) -> None:
        """Nothing to end."""

    def add_seed(self, request_id: str, seed: dict[str, Any]) -> dict[str, Any]:
        """As the real one."""
        if request_id in self._seeds:
            raise AlreadyThere(request_id)
        self._seeds[request_id] = copy.deepcopy(seed)
        return copy.deepcopy(seed)

    def add_customer(self, customer: Customer, start: str) -> None:
        """As the real one."""
        self._customers[customer.request_id] = customer.model_copy(deep=True)
        self._starts[digest(start)] = customer.request_id

    def customer(self, request_id: str) -> Customer | None:
        """As the real one."""
        found = self._customers.get(request_id)
        return found.model_copy(deep=True) if found else None

    def customer_of_case(self, case_ref: str) -> Customer | None:
        """As the real one."""
        return next((c.model_copy(deep=True) for c in self._customers.values() if c.case_ref == case_ref), None)

    def set_signed_in(self, request_id: str) -> None:
        """As the real one."""
        self._customers[request_id].signed_in = True

    def use_start(self, start: str, session: str) -> bool:
        """As the real one."""
        request_id = self._starts.pop(digest(start), None)
        if request_id is None:
            return False
        self.add_session(session, {"kind": "customer", "request_id": request_id})
        return True

    def add_session(self, session: str, data: dict[str, Any]) -> None:
        """As the real one."""
        self._sessions[digest(session)] = dict(data)

    def session(self, session: str | None) -> dict[str, Any] | None:
        """As the real one."""
        return self._sessions.get(digest(session)) if session else None

    def end_session(self, session: str) -> None:
        """As the real one."""
        self._sessions.pop(digest(session), None)

    def case(self, ref: str) -> Case | None:
        """As the real one."""
        found = self._cases.get(ref)
        return Case.load(copy.deepcopy(found)) if found else None

    def save(self, case: Case) -> None:
        """As the real one."""
        held = self._cases.get(case.ref)
        if (held["version"] if held else 0) != case.version:
            raise Conflict(case.ref)
        case.version += 1
        self._cases[case.ref] = copy.deepcopy(case.dump())

    def cases(self, query: str = "", limit: int = 500) -> list[Case]:
        """As the real one."""
        low, high = query.casefold(), query.upper()
        found = (d for d in self._cases.values() if not query or low == d["_id"] or high in (d["number"] or ""))
        newest = sorted(found, key=lambda d: str(d["started"]), reverse=True)
        return [Case.load(copy.deepcopy(d)) for d in newest[:limit]]

    def cases_of(self, request_id: str, first: str) -> list[Case]:
        """As the real one."""
        found = [Case.load(copy.deepcopy(d)) for d in self._cases.values() if d["request_id"] == request_id]
        return sorted(found, key=lambda case: (case.ref != first, case.ref))

    def next_number(self, year: int) -> str:
        """As the real one."""
        self._number += 1
        return f"CLM-{year}-{self._number:06d}"


class MemoryFiles(Files):
    """`Files` in a dict."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}

    def check(self) -> str:
        """Always there."""
        return "embedded"

    def put(self, key: str, data: bytes, content_type: str) -> None:
        """As the real one."""
        self._files[key] = data

    def get(self, key: str) -> bytes:
        """As the real one."""
        try:
            return self._files[key]
        except KeyError as exc:
            raise StoreFault(f"no file {key}") from exc
