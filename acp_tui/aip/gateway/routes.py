"""Where what is asked for: methods, paths, names in queries. All observed, not specified."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from acp_tui.base.config.gateways import GatewaySettings

ROUTES: Final[Mapping[str, str]] = {
    "health": "GET /health",
    "manifest": "GET /manifest",
    "capabilities": "GET /capabilities",
    "messages": "POST /messages",
    "submit": "POST /actions",
    "actions": "GET /actions",
    "status": "GET /actions/{id}",
    "result": "GET /actions/{id}/result",
    "events": "GET /actions/{id}/events",
    "cancel": "POST /actions/{id}/cancel",
    "all_events": "GET /events",
    "sessions": "GET /sessions",
    "session": "GET /sessions/{id}",
    "close": "POST /sessions/{id}/close",
    "resume": "POST /sessions/{id}/resume",
    "approvals": "GET /approvals",
    "approval": "GET /approvals/{id}",
}
QUERIES: Final = frozenset(
    {"state", "capability_id", "session_id", "principal_id", "tenant_id", "approval_id", "transaction_id"}
    | {"cursor", "limit", "include_result", "include_chunks", "follow", "kinds"}
)
"""What stands in queries, by our names, which are the observed ones."""


class Routes:
    """The table of one gateway."""

    def __init__(self, settings: GatewaySettings) -> None:
        self._base = settings.url.rstrip("/") + "/" + settings.prefix.strip("/")
        self._base = self._base.rstrip("/")
        self._table = {**ROUTES, **settings.routes}
        self._names = settings.queries
        self._tenant = settings.tenant

    def at(self, name: str, id: str = "") -> tuple[str, str]:
        """The method and the address. An override without a method keeps the observed one."""
        route = self._table[name]
        method, _, path = route.partition(" ") if " " in route else (ROUTES[name].split()[0], "", route)
        return method.upper(), self._base + path.strip().replace("{id}", quote(id, safe=""))

    def query(self, **given: str | int | bool | None) -> dict[str, str]:
        """Names as the gateway has them; what is empty is left out, the tenant comes by itself."""
        asked = {"tenant_id": self._tenant, **given}
        return {
            self._names.get(name, name): str(value).lower() if isinstance(value, bool) else str(value)
            for name, value in asked.items()
            if value not in (None, "")
        }


def mistake(settings: GatewaySettings) -> str | None:
    """What is wrong with the tables of the settings, for the user."""
    unknown = [name for name in settings.routes if name not in ROUTES]
    if unknown:
        return f"there is no route {unknown[0]}; there are {', '.join(ROUTES)}"
    wrong = [name for name, route in settings.routes.items() if not route.split()[-1:][0].startswith("/")]
    if wrong:
        return f"the route {wrong[0]} must be a path that begins with /, a method may stand before it"
    unnamed = [name for name in settings.queries if name not in QUERIES]
    return f"there is no query {unnamed[0]}; there are {', '.join(sorted(QUERIES))}" if unnamed else None
