import type { Toolbox } from "../../../toolbox/toolbox.ts";
import type { ToolChoice } from "../../mcp/choose-tools.ts";
import type { Protocol } from "../../mcp/create-protocol.ts";
import { OpenCalls } from "../../mcp/open-calls.ts";
import { type Command, type Invocation, isSet, optionValue } from "../args/command.ts";
import { builtinsWanted, toolLists } from "../args/tool-names.ts";
import { UsageError } from "../args/usage-error.ts";
import { HTTP_OPTIONS, type HttpFlags, readHttpOptions, warnIfPublic } from "../http-options.ts";
import { reportMissingTools } from "../missing-tools.ts";
import { openToServe } from "../open-to-serve.ts";
import { printable } from "../output/print.ts";
import { sayChanges } from "../say-changes.ts";
import { servedToClient } from "../served-to-client.ts";
import { stopServing, untilStopped } from "../stop-serving.ts";

const PORT = 4142;

/** `toolwright mcp`. */
export const mcp: Command = {
  spec: {
    usage: "toolwright mcp [options]",
    about: `Serves the tools of this directory to an agent, as an MCP server over stdin and stdout. Agents start it themselves after
"toolwright install AGENT".

With --http, serves any number of clients over HTTP. They need the token that is printed at the start; --json prints it as
one line: { "url", "token" }. Ctrl-C stops the server after the running calls, a second Ctrl-C stops it at once.

Serves only your own tools by default, since agents have tools like the built-in ones. LIST is a comma-separated list of
names with wildcards: --tools 'db_*,lint'. A saved tool file is served at once.

Exit code: 0 the client closed the connection or the server was stopped, 1 cannot listen, 2 wrong usage.`,
    options: {
      builtins: {
        type: "boolean",
        value: "LIST",
        help: "Also serve the built-in tools, or those in LIST",
      },
      tools: { type: "string", multiple: true, value: "LIST", help: "Serve only these tools" },
      exclude: { type: "string", multiple: true, value: "LIST", help: "Do not serve these tools" },
      "read-only": { type: "boolean", help: "Serve only tools that declare to be read-only" },
      defer: { type: "boolean", help: "Let the client hide the tools behind its own search" },
      wait: {
        type: "string",
        value: "SECONDS",
        help: "How long the first list waits for tool files, up to 3 (default: as long as the client does)",
      },
      name: {
        type: "string",
        value: "NAME",
        help: "Name of this server in the client, for the limits on names of tools",
      },
      http: {
        type: "boolean",
        value: "PORT",
        follows: /^\d+$/,
        help: `Serve over HTTP instead of stdin and stdout (default port ${PORT}; 0 picks a free one)`,
      },
      ...HTTP_OPTIONS,
      port: { type: "string", value: "N", help: "Same as --http PORT" },
    },
    positionals: [0, 0],
    examples: [
      "toolwright mcp",
      "toolwright mcp --cwd ~/project --builtins=grep,glob",
      "toolwright mcp --read-only --exclude 'deploy*'",
      "toolwright mcp --http 8080",
      "toolwright mcp --http 0 --json",
    ],
  },
  run: serve,
};

async function serve(invocation: Invocation): Promise<number> {
  const choice = choiceOf(invocation);
  const http = httpOptionsOf(invocation);
  const waitMs = waitOf(invocation);
  const waitUntil = performance.now() + (waitMs ?? 0);
  const calls = new OpenCalls();
  const [{ createProtocol }, { fitToClient }, { firstListMs }, toolbox] = await Promise.all([
    import("../../mcp/create-protocol.ts"),
    import("../fit-to-client.ts"),
    import("../../client-limits/client-limits.ts"),
    openToServe(invocation, calls),
    // Preloaded for the functions below.
    http ? import("../../http/server/serve-http.ts") : import("../../mcp/serve-stdio.ts"),
  ]);
  const say = (text: string): void => invocation.terminal.stderr.report(`toolwright: ${printable(text)}\n`);
  const protocol = createProtocol(toolbox, {
    calls,
    includes: servedToClient(choice, toolbox),
    fit: fitToClient(say, optionValue(invocation, "name")),
    pinsFew: !isSet(invocation, "defer"),
    // Over HTTP, the address is printed only after the tool files have loaded.
    ...(http ? {} : { listBy: waitMs === undefined ? firstListMs : () => waitUntil }),
  });
  try {
    if (http) await overHttp({ toolbox, protocol, http, say }, invocation);
    else await overStdio({ toolbox, protocol, say }, invocation);
    return 0;
  } finally {
    await protocol.close();
    await toolbox.close();
  }
}

/** Serves until the client closes the connection, or a signal stops the process. */
async function overStdio({ toolbox, protocol, say }: Serving, invocation: Invocation): Promise<void> {
  const { stdin, stderr } = invocation.terminal;
  const [{ serveStdio }, { reserveStdout }] = await Promise.all([
    import("../../mcp/serve-stdio.ts"),
    import("../../mcp/reserve-stdout.ts"),
  ]);
  const server = serveStdio(protocol, { input: stdin, output: reserveStdout(stderr) });
  let isStopped = false;
  void untilStopped().then(() => {
    isStopped = true;
    return server.close();
  });
  if (await Promise.race([server.closed, whenLoaded(toolbox)])) reportMissingTools(toolbox, invocation, say);
  await server.closed;
  stdin.destroy();
  // A client that does not read its responses must not block the stop.
  if (isStopped) setTimeout(() => process.exit(), UNREAD_MS).unref();
}

const UNREAD_MS = 2_000;

interface Serving {
  readonly toolbox: Toolbox;
  readonly protocol: Protocol;
  readonly say: (text: string) => void;
}

/** Resolves to true after the tool files have loaded, or the wait is over. */
async function whenLoaded(toolbox: Toolbox): Promise<true> {
  await toolbox.ready();
  return true;
}

async function overHttp(
  { toolbox, protocol, http, say }: Serving & { readonly http: HttpFlags },
  invocation: Invocation,
): Promise<void> {
  const { terminal, globals } = invocation;
  const [{ serveHttp }, { mcpRoutes }, { reserveStdout }] = await Promise.all([
    import("../../http/server/serve-http.ts"),
    import("../../http/server/routes/routes.ts"),
    import("../../mcp/reserve-stdout.ts"),
  ]);
  const onError = (error: Error): void => say(error.stack ?? error.message);
  const server = await serveHttp({ ...http, toolbox, protocol, routes: mcpRoutes, onError });
  const stopped = untilStopped();
  await Promise.race([stopped, whenLoaded(toolbox)]);
  reportMissingTools(toolbox, invocation, say);
  warnIfPublic(http, say);
  sayChanges(toolbox, globals.cwd, say);
  const url = `${server.origin}/mcp`;
  const { token, tokenFrom = token } = http;
  const text = `${url} with the header "Authorization: Bearer ${tokenFrom}"\nPress Ctrl-C to stop.\n`;
  terminal.stdout.write(globals.json ? `${JSON.stringify({ url, token })}\n` : text);
  reserveStdout(terminal.stderr);
  await stopped;
  await stopServing(server, say);
}

function httpOptionsOf(invocation: Invocation): HttpFlags | undefined {
  if (invocation.values.http !== undefined) return readHttpOptions(invocation, PORT, "http");
  const used = Object.keys(HTTP_OPTIONS).find((option) => invocation.values[option] !== undefined);
  if (used !== undefined) throw new UsageError(`--${used} requires --http.`);
  return undefined;
}

function waitOf(invocation: Invocation): number | undefined {
  const text = optionValue(invocation, "wait");
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (text.trim() !== "" && seconds >= 0) return seconds * 1_000;
  throw new UsageError(`--wait takes a number of seconds, not "${text}".`);
}

function choiceOf(invocation: Invocation): ToolChoice {
  const tools = toolLists(invocation, "tools");
  return {
    builtins: builtinsWanted(invocation.values.builtins),
    exclude: toolLists(invocation, "exclude"),
    readOnly: isSet(invocation, "read-only"),
    ...(tools.length > 0 ? { tools } : {}),
  };
}
