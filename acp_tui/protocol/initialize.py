"""`initialize` and authentication: who is who, and who can what (IN, AU)."""

from typing import Annotated, Literal

from pydantic import Field

from acp_tui.protocol.lenient import ItemsOrEmpty, Lenient, Natural, NullAsEmpty, OrEmpty, Tagged
from acp_tui.protocol.model import Model
from acp_tui.protocol.unknown import Unknown

ProtocolVersion = Annotated[Natural, Field(le=65535)]


class Implementation(Model):
    """Name and version of a program (IN-17)."""

    name: str
    version: str
    title: Lenient[str] = None


class PromptImageCapabilities(Model):
    """Prompts may hold images."""


class PromptAudioCapabilities(Model):
    """Prompts may hold audio."""


class PromptEmbeddedContextCapabilities(Model):
    """Prompts may hold embedded resources."""


class PromptCapabilities(Model):
    """What prompts may hold beside text and links; an object says yes, anything else no (IN-09)."""

    image: Lenient[PromptImageCapabilities] = None
    audio: Lenient[PromptAudioCapabilities] = None
    embedded_context: Lenient[PromptEmbeddedContextCapabilities] = None


class McpStdioCapabilities(Model):
    """MCP servers of type stdio may be sent."""


class McpHttpCapabilities(Model):
    """MCP servers of type http may be sent."""


class McpCapabilities(Model):
    """Types of MCP servers that may be sent (SS-07)."""

    stdio: Lenient[McpStdioCapabilities] = None
    http: Lenient[McpHttpCapabilities] = None


class SessionDeleteCapabilities(Model):
    """`session/delete` exists."""


class SessionAdditionalDirectoriesCapabilities(Model):
    """`additionalDirectories` may be sent."""


class SessionCapabilities(Model):
    """The baseline session methods exist, and what goes beyond them (IN-11)."""

    prompt: Lenient[PromptCapabilities] = None
    mcp: Lenient[McpCapabilities] = None
    delete: Lenient[SessionDeleteCapabilities] = None
    additional_directories: Lenient[SessionAdditionalDirectoriesCapabilities] = None


class AgentAuthCapabilities(Model):
    """Extensions only; says nothing about login and logout (AU-01)."""


class AgentCapabilities(Model):
    """What the agent can; everything not advertised is unsupported (IN-10)."""

    session: Lenient[SessionCapabilities] = None
    auth: Lenient[AgentAuthCapabilities] = None


class TerminalAuthCapabilities(Model):
    """We can run the agent's command in an interactive terminal."""


class ClientAuthCapabilities(Model):
    """Ways to log in that we offer."""

    terminal: Lenient[TerminalAuthCapabilities] = None


class ElicitationFormCapabilities(Model):
    """We can show forms."""


class ElicitationUrlCapabilities(Model):
    """We can open URLs."""


class ElicitationCapabilities(Model):
    """Modes of elicitation that we serve (IN-14)."""

    form: Lenient[ElicitationFormCapabilities] = None
    url: Lenient[ElicitationUrlCapabilities] = None


class ClientCapabilities(Model):
    """What we can (IN-13)."""

    auth: Lenient[ClientAuthCapabilities] = None
    elicitation: Lenient[ElicitationCapabilities] = None


class EnvVariable(Model):
    """One variable of an environment."""

    name: str
    value: str


class AuthMethodAgent(Model):
    """The agent logs in by `auth/login` (AU-02)."""

    type: Literal["agent"] = "agent"
    method_id: str
    name: str
    description: Lenient[str] = None


class AuthMethodTerminal(Model):
    """We run the login in a terminal (AU-03, AU-04)."""

    type: Literal["terminal"] = "terminal"
    method_id: str
    name: str
    description: Lenient[str] = None
    args: NullAsEmpty[str] = Field(default_factory=list)
    env: NullAsEmpty[EnvVariable] = Field(default_factory=list)


AuthMethod = AuthMethodAgent | AuthMethodTerminal
AnyAuthMethod = Annotated[AuthMethod | Unknown, Tagged("type", needs=("methodId", "name"))]


class InitializeRequest(Model):
    """Parameters of `initialize` (IN-02)."""

    protocol_version: ProtocolVersion
    info: Implementation
    capabilities: OrEmpty[ClientCapabilities] = Field(default_factory=ClientCapabilities)


class InitializeResponse(Model):
    """Result of `initialize` (IN-08)."""

    protocol_version: ProtocolVersion
    info: Implementation
    capabilities: OrEmpty[AgentCapabilities] = Field(default_factory=AgentCapabilities)
    auth_methods: ItemsOrEmpty[AnyAuthMethod] = Field(default_factory=list)


class LoginAuthRequest(Model):
    """Parameters of `auth/login` (AU-02)."""

    method_id: str


class LoginAuthResponse(Model):
    """Result of `auth/login`."""


class LogoutAuthRequest(Model):
    """Parameters of `auth/logout` (AU-10)."""


class LogoutAuthResponse(Model):
    """Result of `auth/logout`."""
