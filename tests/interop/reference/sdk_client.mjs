// A client on the official TypeScript SDK: plays prompts with an agent and prints what the SDK made of each update.
// usage: node sdk_client.mjs '["agent","--flag"]' PROMPT…
// The SDK checks every message in both directions; one that it refuses ends this program with status 1.
import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk/experimental/v2";

const [command, ...args] = JSON.parse(process.argv[2]);
const prompts = process.argv.slice(3);
const agent = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const print = (kind, value) => process.stdout.write(JSON.stringify({ kind, value }) + "\n");

let idle = () => {};
const client = acp
  .client({ name: "sdk-client" })
  .onRequest("session/request_permission", ({ params }) => {
    print("permission", params);
    return { outcome: { outcome: "selected", optionId: params.options[0].optionId } };
  })
  .onNotification("session/update", ({ params }) => {
    print("update", params);
    if (params.update.sessionUpdate === "state_update" && params.update.state === "idle") idle(params.sessionId);
  });

// the SDK reports what it cannot parse on the console and drops it: here that is a failure
for (const name of ["error", "warn"]) {
  const write = console[name].bind(console);
  console[name] = (...words) => { write(...words); process.exitCode = 1; };
}

await client.connectWith(acp.ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout)), async (ctx) => {
  const info = { name: "sdk-client", version: "1" };
  print("initialize", await ctx.request("initialize", { protocolVersion: acp.PROTOCOL_VERSION, info, capabilities: {} }));
  const made = await ctx.request("session/new", { cwd: process.cwd() });
  print("session", made);
  for (const words of prompts) {
    const ended = new Promise((done) => { idle = (id) => { if (id === made.sessionId) done(); }; });
    print("prompt", await ctx.request("session/prompt", { sessionId: made.sessionId, prompt: [{ type: "text", text: words }] }));
    await ended;
  }
  print("closed", await ctx.request("session/close", { sessionId: made.sessionId }));
});
agent.stdin.end();
