import type { ToolChoice } from "../../../mcp/choose-tools.ts";
import type { Protocol } from "../../../mcp/create-protocol.ts";
import { OpenCalls } from "../../../mcp/open-calls.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import { type Command, type Invocation, isSet, optionValue } from "../command.ts";
import { HTTP_OPTIONS, type HttpPlace, readHttpOptions, warnOfOthers } from "../http-options.ts";
import { sayWhatIsMissing } from "../missing-tools.ts";
import { openToServe } from "../open-to-serve.ts";
import { printable } from "../print.ts";
import { sayChanges } from "../say-changes.ts";
import { servedToClient } from "../served-to-client.ts";
import { stopServing } from "../stop-serving.ts";
import { builtinsWanted, toolNames } from "../tool-names.ts";
import { untilStopped } from "../until-stopped.ts";
import { UsageError } from "../usage-error.ts";

const PORT = 4142;

/** `toolwright mcp`. */
export const mcp: Command = {
  spec: {
    usage: "toolwright mcp [options]",
    about: `Serves the tools of this directory to an agent, as an MCP server over stdin and stdout. Agents start it
themselves: "toolwright install AGENT" tells one to. With --http it is a server for any number of clients, who need the
token that is printed when it starts; with --json too, that is one line: { "url", "token" }. Ctrl-C stops it when running
calls have ended, a second one at once.

Agents have tools like the built-in ones, so only your own are served unless you ask for more. Names may have wildcards,
and lists have commas: --tools 'db_*,lint'. What is saved while it runs is served at once.

Exit code: 0 when the client has closed the connection, or it was told to stop; 1 when it cannot listen; 2 for wrong use.`,
    options: {
      builtins: {
        type: "boolean",
        value: "LIST",
        help: "serve the built-in tools too, or those named (--builtins=read,grep)",
      },
      tools: { type: "string", multiple: true, value: "LIST", help: "serve only these" },
      exclude: { type: "string", multiple: true, value: "LIST", help: "do not serve these" },
      "read-only": { type: "boolean", help: "serve only tools that say they change nothing" },
      name: {
        type: "string",
        value: "NAME",
        help: "what the client calls this server, which counts for how long names of tools may be",
      },
      http: {
        type: "boolean",
        value: "PORT",
        follows: /^\d+$/,
        help: `serve over HTTP instead of stdin and stdout, on port ${PORT} unless given; 0 takes any that is free`,
      },
      ...HTTP_OPTIONS,
      port: { type: "string", value: "N", help: "with --http, the same as a port behind it" },
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
  const place = placeOf(invocation);
  const calls = new OpenCalls();
  const [{ createProtocol }, { fitToClient }, toolbox] = await Promise.all([
    import("../../../mcp/create-protocol.ts"),
    import("../fit-to-client.ts"),
    openToServe(invocation, calls),
    // Loaded meanwhile, for whoever comes next.
    place ? import("../../http/serve-http.ts") : import("../../../mcp/serve-stdio.ts"),
  ]);
  const say = (text: string): void => invocation.terminal.stderr.report(`toolwright: ${printable(text)}\n`);
  const protocol = createProtocol(toolbox, {
    calls,
    includes: servedToClient(choice, toolbox),
    fit: fitToClient(say, optionValue(invocation, "name")),
  });
  try {
    if (place) await overHttp({ toolbox, protocol, place, say }, invocation);
    else await overStdio({ toolbox, protocol, say }, invocation);
    return 0;
  } finally {
    await protocol.close();
    await toolbox.close();
  }
}

/** Until the client goes, or the process is told to stop. */
async function overStdio({ toolbox, protocol, say }: Serving, invocation: Invocation): Promise<void> {
  const { stdin, stderr } = invocation.terminal;
  const [{ serveStdio }, { takeStdout }] = await Promise.all([
    import("../../../mcp/serve-stdio.ts"),
    import("../../../mcp/take-stdout.ts"),
  ]);
  const server = serveStdio(protocol, { input: stdin, output: takeStdout(stderr) });
  let isTold = false;
  void untilStopped().then(() => {
    isTold = true;
    return server.close();
  });
  if (await Promise.race([server.closed, readOf(toolbox)])) sayWhatIsMissing(toolbox, invocation, say);
  await server.closed;
  stdin.destroy();
  // A client that does not read its answers must not keep a server that was told to stop.
  if (isTold) setTimeout(() => process.exit(), UNREAD_MS).unref();
}

const UNREAD_MS = 2_000;

interface Serving {
  readonly toolbox: Toolbox;
  readonly protocol: Protocol;
  readonly say: (text: string) => void;
}

/** When the files have been read, or waited for: true. */
async function readOf(toolbox: Toolbox): Promise<true> {
  await toolbox.ready();
  return true;
}

async function overHttp(
  { toolbox, protocol, place, say }: Serving & { readonly place: HttpPlace },
  invocation: Invocation,
): Promise<void> {
  const { terminal, globals } = invocation;
  const [{ serveHttp }, { mcpRoutes }, { takeStdout }] = await Promise.all([
    import("../../http/serve-http.ts"),
    import("../../http/routes/routes.ts"),
    import("../../../mcp/take-stdout.ts"),
  ]);
  const onError = (error: Error): void => say(error.stack ?? error.message);
  const server = await serveHttp({ ...place, toolbox, protocol, routes: mcpRoutes, onError });
  const stopped = untilStopped();
  await Promise.race([stopped, readOf(toolbox)]);
  sayWhatIsMissing(toolbox, invocation, say);
  warnOfOthers(place, say);
  sayChanges(toolbox, globals.cwd, say);
  const url = `${server.origin}/mcp`;
  const { token, tokenFrom = token } = place;
  const text = `${url} with the header "Authorization: Bearer ${tokenFrom}"\nCtrl-C stops it.\n`;
  terminal.stdout.write(globals.json ? `${JSON.stringify({ url, token })}\n` : text);
  takeStdout(terminal.stderr);
  await stopped;
  await stopServing(server, say);
}

function placeOf(invocation: Invocation): HttpPlace | undefined {
  if (invocation.values.http !== undefined) return readHttpOptions(invocation, PORT, "http");
  const given = Object.keys(HTTP_OPTIONS).find((option) => invocation.values[option] !== undefined);
  if (given !== undefined) throw new UsageError(`--${given} is for --http: add it, or leave --${given} out.`);
  return undefined;
}

function choiceOf(invocation: Invocation): ToolChoice {
  const tools = listOf(invocation, "tools");
  return {
    builtins: builtinsWanted(invocation.values.builtins),
    exclude: listOf(invocation, "exclude"),
    readOnly: isSet(invocation, "read-only"),
    ...(tools.length > 0 ? { tools } : {}),
  };
}

function listOf({ values }: Invocation, option: string): string[] {
  const given = values[option];
  return Array.isArray(given) ? given.flatMap((list: string) => toolNames(list, option)) : [];
}
