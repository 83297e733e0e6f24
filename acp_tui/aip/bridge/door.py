"""The way to the gateway: opened when first needed, closed at the end; and what it lists."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from acp_tui.aip.bridge.faults import fault
from acp_tui.aip.core.lifecycle import Action
from acp_tui.aip.core.vocabulary import Capability
from acp_tui.aip.gateway.errors import GatewayError, Misconfigured
from acp_tui.aip.gateway.front import Gateway
from acp_tui.base.config.gateways import GatewaySettings


class Door:
    """One gateway."""

    def __init__(self, settings: GatewaySettings, name: str) -> None:
        self.settings = settings
        self.name = name
        """What it is called: its name in the settings, or its address."""
        self.capabilities: dict[str, Capability] = {}
        """By id, as far as they are listed."""
        self._gateway: Gateway | None = None
        self._opening = asyncio.Lock()

    async def open(self) -> Gateway:
        """The gateway. Raises `Fault`."""
        async with self._opening:
            if self._gateway is None:
                gateway = Gateway(self.settings)
                try:
                    self._gateway = await gateway.__aenter__()
                except Misconfigured as error:
                    raise fault(error, self.settings) from None
            return self._gateway

    async def learn(self) -> None:
        """Ask what can be called, which shows too whether we are known. Raises `Fault`."""
        gateway = await self.open()
        try:
            self.capabilities = {one.id: one for one in await gateway.capabilities()}
        except GatewayError as error:
            raise fault(error, self.settings) from None

    async def close(self) -> None:
        """Let go of connections."""
        gateway, self._gateway = self._gateway, None
        if gateway is not None:
            with suppress(GatewayError, OSError):
                await gateway.__aexit__(None, None, None)

    def action(self, action_id: str) -> Action | None:
        """What is known of an action, without asking."""
        return self._gateway.actions.get(action_id) if self._gateway is not None else None

    def capability(self, capability_id: str) -> Capability | None:
        """What is known of one."""
        return self.capabilities.get(capability_id)
