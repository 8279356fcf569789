import { existsSync } from "node:fs";
import { knownAgents } from "../../../agents/run/known-agents.ts";
import type { ToolInfo } from "../../../catalog/registry/registry-entry.ts";
import { messageOf } from "../../../core/error.ts";
import type { JsonSchema } from "../../../core/schema.ts";
import { pageFolder } from "../../../platform/files/package-files.ts";
import { firstNames } from "../../../platform/text/amount-text.ts";
import { shellWord } from "../../../platform/text/shell-word.ts";
import { sessionsFile } from "../../../toolbox/open-session-store.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import { OpenCalls } from "../../mcp/open-calls.ts";
import type { Command, Invocation } from "../args/command.ts";
import { exampleInput } from "../args/example-command.ts";
import { builtinsWanted } from "../args/tool-names.ts";
import { HTTP_OPTIONS, type HttpFlags, readHttpOptions, warnIfPublic } from "../http-options.ts";
import { reportMissingTools } from "../missing-tools.ts";
import { openToServe } from "../open-to-serve.ts";
import { coloured, printable } from "../output/print.ts";
import { ownCommand, ownOptions } from "../own-launch.ts";
import { sayChanges } from "../say-changes.ts";
import { servedAgents } from "../served-agents.ts";
import { servedToClient } from "../served-to-client.ts";
import { stopServing, untilStopped } from "../stop-serving.ts";
import { showingStatus } from "../with-toolbox.ts";

const PORT = 4141;

/** `toolwright serve`. */
export const serve: Command = {
  spec: {
    usage: "toolwright serve [options]",
    about: `Serves the tools of this directory over HTTP: a REST API under /api (see GET /openapi.json), sessions of agents, MCP under
/mcp, and Prometheus metrics under /metrics. Clients need the token that is printed at the start.

Listens on this machine only; --host changes that, and requires a token of your choice. A saved tool file is served at
once, and its problems are printed here. Ctrl-C stops the server after the running calls and turns of agents, which have a
few seconds to end; a second Ctrl-C stops it at once.

With --json, prints one line when it is ready: { "url", "token", "mcp" }.

Exit code: 0 stopped by a signal, 1 cannot listen, 2 wrong usage.`,
    options: {
      ...HTTP_OPTIONS,
      port: {
        type: "string",
        value: "N",
        help: `Port to listen on (default ${PORT}; 0 picks a free one)`,
      },
      builtins: {
        type: "boolean",
        value: "LIST",
        help: "Also serve the built-in tools under /mcp, or those in LIST",
      },
    },
    positionals: [0, 0],
    examples: [
      "toolwright serve",
      "toolwright serve --port 0 --json",
      "TOOLWRIGHT_TOKEN=… toolwright serve --host 0.0.0.0 --allow-host tools.example.com",
    ],
  },
  run,
};

async function run(invocation: Invocation): Promise<number> {
  const http = readHttpOptions(invocation, PORT);
  const choice = { builtins: builtinsWanted(invocation.values.builtins) };
  const calls = new OpenCalls();
  const [{ serveHttp }, { allRoutes }, { createProtocol }, { reserveStdout }, { fitToClient }, toolbox] =
    await Promise.all([
      import("../../http/server/serve-http.ts"),
      import("../../http/server/routes/routes.ts"),
      import("../../mcp/create-protocol.ts"),
      import("../../mcp/reserve-stdout.ts"),
      import("../fit-to-client.ts"),
      openToServe(invocation, calls, { sessions: "disk", agents: knownAgents }),
    ]);
  const { stdout, stderr } = invocation.terminal;
  const say = (text: string): void => stderr.report(`toolwright: ${printable(text)}\n`);
  const protocol = createProtocol(toolbox, {
    calls,
    includes: servedToClient(choice, toolbox),
    fit: fitToClient(say),
    watches: false,
  });
  try {
    toolbox.on("log", ({ text }) => stderr.report(stderr.isTTY ? coloured(text) : text));
    await toolbox.watch();
    const onError = (error: Error): void => say(error.stack ?? error.message);
    const server = await serveHttp({
      ...http,
      toolbox,
      protocol,
      routes: allRoutes,
      pageFolder: pageFolder(),
      command: ownCommand(),
      commandOptions: ownOptions(invocation.globals),
      agents: servedAgents(invocation, toolbox),
      onError,
    });
    const stopped = untilStopped();
    await Promise.race([stopped, showingStatus(invocation, LOADING, async () => toolbox.ready())]);
    reportMissingTools(toolbox, invocation, say);
    sayChanges(toolbox, invocation.globals.cwd, say);
    warnIfPublic(http, say);
    stdout.write(invocation.globals.json ? toLine(server.origin, http) : toText(server.origin, http, toolbox));
    reserveStdout(stderr);
    void markInterrupted(toolbox, say);
    await stopped;
    await stopServing(server, say);
    return 0;
  } finally {
    await protocol.close();
    await toolbox.close();
  }
}

/** Opening the database marks sessions whose process is gone as interrupted. Without a database there are none. */
async function markInterrupted(toolbox: Toolbox, say: (text: string) => void): Promise<void> {
  if (!existsSync(sessionsFile(toolbox.project.homes.toolwrightHome))) return;
  await toolbox.sessions.store().catch((error: unknown) => say(`Sessions cannot be used. ${messageOf(error)}`));
}

const LOADING = "Loading tool files …";

function toLine(origin: string, { token }: HttpFlags): string {
  return `${JSON.stringify({ url: origin, token, mcp: `${origin}/mcp` })}\n`;
}

function toText(origin: string, { token, tokenFrom }: HttpFlags, toolbox: Toolbox): string {
  const tools = toolbox.list().filter(({ enabled }) => enabled);
  const own = tools.filter(({ source }) => source !== "builtin");
  const header = `-H "Authorization: Bearer ${tokenFrom ?? token}"`;
  const query = tokenFrom === undefined ? `?token=${token}` : "";
  // The first built-in tools without input need a git repository.
  const first = own[0] ?? tools.findLast(({ inputSchema }) => takesNoInput(inputSchema));
  const body = shellWord(JSON.stringify({ input: exampleInput(first?.inputSchema ?? {}) }));
  const login = tokenFrom === undefined ? "" : `\nThe page asks for the token: ${tokenFrom}\n`;
  return `Serving the tools of ${printable(toolbox.project.directory)}: ${shownNames(own)}, and ${tools.length - own.length} built-in tools.

  Open ${origin}/${query}
${login}${own.length === 0 ? "\nTo create a tool: toolwright new hello\n" : ""}
To call a tool:

  curl ${header} --json ${printable(body)} ${origin}/api/tools/${first?.name ?? "NAME"}/run

API: ${origin}/api/tools${query}
API description: ${origin}/openapi.json${query}
For MCP clients: ${origin}/mcp with the header "Authorization: Bearer ${tokenFrom ?? token}"
Press Ctrl-C to stop.
`;
}

const MAX_NAMES = 10;

function shownNames(tools: readonly ToolInfo[]): string {
  if (tools.length === 0) return "no tools of your own";
  return firstNames(
    tools.map(({ name }) => name),
    MAX_NAMES,
  );
}

function takesNoInput(inputSchema: JsonSchema): boolean {
  return Object.keys(exampleInput(inputSchema)).length === 0;
}
