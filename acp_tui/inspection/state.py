"""The state of a client as JSON, in the words of the protocol."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from acp_tui.client.machine import Client
from acp_tui.journal.described import ENTITIES, subagent
from acp_tui.journal.playing import Player
from acp_tui.protocol.initialize import AgentCapabilities
from acp_tui.protocol.jsonrpc import id_key
from acp_tui.protocol.permission import RequestPermissionRequest
from acp_tui.protocol.unknown import Unknown
from acp_tui.protocol.v2 import encode
from acp_tui.store import entities as kept
from acp_tui.store.keys import TIMELINE_KINDS
from acp_tui.store.session import Session

Json = dict[str, Any]


def describe(player: Player) -> Json:
    """All that is known now; every key always stands there."""
    client, store = player.client, player.client.store
    return {
        "connection": _connection(client),
        "auth": {"required": store.connection.auth_required},
        "sessions": {
            session.session_id: _session(client, session)
            for session in store.sessions.values()
            if session.session_id is not None
        },
        "submissions": {name: _submission(one) for name, one in client.submissions.items()},
        "agentRequests": _requests(client),
        "urlElicitations": dict(client.url_elicitations),
        "outbound": player.outbound,
        "divergences": player.divergences,
        "dropped": client.dropped,
    }


def _connection(client: Client) -> Json:
    connection = client.store.connection
    methods = (
        m.raw.get("methodId") if isinstance(m, Unknown) else m.method_id for m in connection.auth_methods
    )
    return {
        "protocol": connection.protocol,
        "action": client.outcome or None,
        "phase": connection.phase,
        "failure": connection.failure or None,
        "agent": encode(connection.agent_info),
        "capabilities": _capabilities(connection.capabilities, bool(connection.auth_methods)),
        "authMethods": [method for method in methods if method is not None],
        "garbage": connection.garbage,
    }


def _capabilities(agreed: AgentCapabilities | None, auth: bool) -> Json:
    session = agreed.session if agreed is not None else None
    prompt = session.prompt if session is not None else None
    mcp = session.mcp if session is not None else None
    offered = {
        "session": session,
        "image": prompt and prompt.image,
        "audio": prompt and prompt.audio,
        "embeddedContext": prompt and prompt.embedded_context,
        "mcpStdio": mcp and mcp.stdio,
        "mcpHttp": mcp and mcp.http,
        "delete": session and session.delete,
        "additionalDirectories": session and session.additional_directories,
    }
    return {**{name: value is not None for name, value in offered.items()}, "auth": auth}


def _session(client: Client, session: Session) -> Json:
    above = client.store.sessions.get(session.parent) if session.parent is not None else None
    return {
        "state": session.state,
        "stopReason": session.stop_reason,
        "error": encode(session.error),
        "completions": session.completions,
        "background": encode(session.background),
        "closed": session.phase == "closed",
        "cwd": session.cwd,
        "parent": above.session_id if above is not None else None,
        "timeline": [[key.kind.value, key.id] for key in session.timeline if key.kind in TIMELINE_KINDS],
        "entities": _entities(session),
        "subagents": {key.id: subagent(session.entities[key]) for key in session.subagents},
        "notices": [_notice(notice) for notice in session.notices],
        "commands": encode(session.commands),
        "configOptions": encode(session.config_options),
        "usage": _usage(session),
        "info": {
            "title": session.info.title,
            "updatedAt": session.info.updated_at,
            "meta": session.info.meta,
        },
        "unknownUpdates": [update.raw for update in session.unknown_updates],
    }


def _usage(session: Session) -> Json | None:
    usage = session.usage
    return {"used": usage.used, "size": usage.size, "cost": encode(usage.cost)} if usage is not None else None


def _notice(notice: kept.NoticeRecord) -> Json:
    described = {"description": notice.description} if notice.description is not None else {}
    return {"severity": notice.severity, "title": notice.title, **described}


def _entities(session: Session) -> Json:
    found: dict[str, Json] = {kind.value: {} for kind in ENTITIES}
    for key, entity in session.entities.items():
        if isinstance(entity, kept.Terminal):
            output = b64encode(entity.output.data()).decode()
            found[key.kind.value][key.id] = {**ENTITIES[key.kind](entity), "output": output}
        elif key.kind in ENTITIES:
            found[key.kind.value][key.id] = ENTITIES[key.kind](entity)
    return found


def _submission(one: kept.Submission) -> Json:
    return {
        "status": one.status,
        "messageId": one.message_id,
        "code": one.error.code if one.error is not None else None,
    }


def _requests(client: Client) -> Json:
    found: Json = {}
    for request in client.requests:
        found[id_key(request.request_id)] = _request(request)
    return found


def _request(request: kept.AgentRequest) -> Json:
    params = request.params
    permission = isinstance(params, RequestPermissionRequest)
    outcome = request.outcome
    if permission and isinstance(outcome, dict):
        outcome = outcome.get("outcome")
    subject = params.subject if permission else None
    return {
        "status": request.status,
        "outcome": outcome,
        "title": params.title if permission else params.message,
        "subjectType": subject.type if subject is not None else None,
        "options": encode(params.options) if permission else None,
        "mode": None if permission else params.mode,
    }
