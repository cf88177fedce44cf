"""The product's own routes for a rig: runtime report, seed, state read, stored files, usage. Used by the parent only."""

import asyncio
import ipaddress
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

import httpx2
from pydantic import BaseModel, ValidationError

from harness.errors import EnvironmentFault, InputError, SeedError, SeedRefused, one_line
from harness.schema.inquiry import InquirySeedReceipt, InquirySeedRequest, InquiryStateRead
from harness.schema.product import (
    DefectReport,
    RuntimeReport,
    SeedReceipt,
    SeedRequest,
    StateRead,
    SwitchableDefect,
    UsageReport,
)
from harness.schema.strict_json import first_problem, parse_json
from harness.screen.adapter import Adapter, Route

M = TypeVar("M", bound=BaseModel)
TIMEOUT_S = 30.0
"""For a step of a request: connecting, one read."""
WHOLE_S = 120.0
"""For a whole request, however steadily the answer drips."""
WRONG_REQUEST = frozenset({400, 422})
"""HTTP states that say of a request with a body that it is wrong in itself."""
FILE_LIMIT = 64 * 1024 * 1024


def require_loopback(url: str, shown: str) -> None:
    """InputError unless the address is on this machine: seed tokens go nowhere else."""
    try:
        host = urlsplit(url).hostname or ""
        local = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = False
    if not local:
        raise InputError(
            shown, f"{url} is not a loopback address; the seed and state routes are for local products only"
        )


@dataclass
class ProductClient:
    """Speaks to one product. Close it with `aclose`."""

    adapter: Adapter
    token: str

    def __post_init__(self) -> None:
        self.base_url = self.adapter.base_url
        require_loopback(self.base_url, f"{self.adapter.adapter}: base_url")
        self._http = httpx2.AsyncClient(timeout=TIMEOUT_S, trust_env=False, follow_redirects=False)

    async def aclose(self) -> None:
        """Close the connection pool."""
        await self._http.aclose()

    async def _call(
        self, route: Route | None, model: type[M], what: str, body: BaseModel | None = None, case_ref: str = ""
    ) -> M:
        if route is None:
            raise InputError(self.adapter.adapter, f"the adapter names no route for: {what}")
        url = self.base_url + route.path.replace("${case_ref}", quote(case_ref, safe=""))
        headers = {"Authorization": f"Bearer {self.token}"} if route.token_env else {}
        data = None if body is None else body.model_dump_json(by_alias=True).encode()
        if data is not None:
            headers["Content-Type"] = "application/json"
        try:
            async with asyncio.timeout(WHOLE_S):
                answer = await self._http.request(route.method, url, headers=headers, content=data)
        except (httpx2.HTTPError, TimeoutError) as exc:
            raise EnvironmentFault(
                f"{what}: the product at {self.base_url} does not answer ({one_line(str(exc) or type(exc).__name__)})"
            ) from exc
        if answer.status_code != 200:
            refused = body is not None and answer.status_code in WRONG_REQUEST
            raise (SeedRefused if refused else SeedError)(
                f"{what}: {route.method} {route.path} answered {answer.status_code}: {one_line(answer.text, 200)}"
            )
        try:
            parse_json(answer.content, what)
            return model.model_validate_json(answer.content)
        except ValidationError as exc:
            raise SeedError(str(first_problem(exc, f"{what}: the product's answer"))) from exc
        except InputError as exc:
            raise SeedError(f"{what}: the product's answer {exc.why}") from exc

    async def runtime(self) -> RuntimeReport:
        """Which runtime the product says it runs."""
        return await self._call(self.adapter.runtime_report, RuntimeReport, "runtime report")

    async def seed(self, request: SeedRequest | InquirySeedRequest) -> SeedReceipt | InquirySeedReceipt:
        """Put the product into a state. The caller compares receipt and request.

        Raises:
            SeedRefused: the product says that the request is wrong.
            SeedError: it answered something else that is no receipt.
            EnvironmentFault: it did not answer.
        """
        if isinstance(request, InquirySeedRequest):
            return await self._call(self.adapter.seed, InquirySeedReceipt, "seed route", body=request)
        return await self._call(self.adapter.seed, SeedReceipt, "seed route", body=request)

    async def state(self, case_ref: str) -> StateRead | InquiryStateRead:
        """All cases, or conversations, of one seeded customer."""
        if self.adapter.kind == "inquiry":
            return await self._call(self.adapter.state, InquiryStateRead, "state read", case_ref=case_ref)
        return await self._call(self.adapter.state, StateRead, "state read", case_ref=case_ref)

    async def usage(self, case_ref: str) -> UsageReport | None:
        """What the product's models used; None if the adapter names no such route."""
        if self.adapter.usage is None:
            return None
        return await self._call(self.adapter.usage, UsageReport, "usage", case_ref=case_ref)

    async def defects(self) -> list[SwitchableDefect]:
        """The faults that a seed request can switch on. InputError if the product has none to switch on."""
        report = await self._call(self.adapter.defects, DefectReport, "defect report")
        return report.defects

    async def file(self, url: str) -> bytes:
        """A stored file's bytes, by an address of the state read. Raises EnvironmentFault."""
        if not self.adapter.allowed(url):
            raise EnvironmentFault(f"stored file: {one_line(url, 100)} is not one of the adapter's origins")
        try:
            async with (
                asyncio.timeout(WHOLE_S),
                self._http.stream("GET", url, headers={"Authorization": f"Bearer {self.token}"}) as answer,
            ):
                if answer.status_code != 200:
                    raise EnvironmentFault(f"stored file: {answer.status_code}")
                data = b""
                async for chunk in answer.aiter_bytes():
                    data += chunk
                    if len(data) > FILE_LIMIT:
                        raise EnvironmentFault(f"stored file: over {FILE_LIMIT} bytes")
                return data
        except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError) as exc:
            raise EnvironmentFault(f"stored file: {one_line(str(exc) or type(exc).__name__)}") from exc


def plain(model: BaseModel) -> Any:
    """JSON data under the published names."""
    return model.model_dump(mode="json", by_alias=True)
