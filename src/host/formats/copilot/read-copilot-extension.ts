import { setTimeout as sleep } from "node:timers/promises";
import { type JoinedSession, sessionsOf } from "../../../authoring/copilot/joined-session.ts";
import type { Tool } from "../../../core/tool.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import type { Contributions, ExportProblem, FormatHost } from "../contributions.ts";
import { type ExportContext, ExportError, toProblem } from "../export-context.ts";
import { readSdkTool } from "../frameworks/sdk.ts";
import { functionIn } from "../frameworks/sdk-function.ts";
import { CALLED_HOOKS, copilotCallHooks, notifyCopilot } from "./copilot-hooks.ts";

const WHY = "it calls joinSession() of the Copilot SDK, as extensions of Copilot CLI do";

/** How long an extension may take to join a session after its import, if it does not wait for that itself. */
const JOIN_MS = 1_000;
const POLL_MS = 20;

/**
 * Reads the sessions that an extension of Copilot CLI, or a file that it imports, has joined: their tools and hooks. Never
 * rejects.
 */
export async function readCopilotExtension(
  imports: () => readonly string[],
  at: Omit<ExportContext, "name" | "why" | "exportName">,
): Promise<Contributions[]> {
  const here = { ...at, why: WHY, exportName: "joinSession", name: at.file.name };
  const sessions = await joinedSessions(imports);
  return Promise.all(sessions.map((joined) => readSession(joined, here)));
}

async function joinedSessions(imports: () => readonly string[]): Promise<JoinedSession[]> {
  for (let waited = 0; ; waited += POLL_MS) {
    const joined = imports().flatMap(sessionsOf);
    if (joined.length > 0 || waited >= JOIN_MS) return joined;
    await sleep(POLL_MS);
  }
}

async function readSession(joined: JoinedSession, at: ExportContext): Promise<Contributions> {
  const { host } = at;
  joined.attach(portOf(host));
  let read = await readTools(joined, at);
  joined.onToolsChanged = () => void readTools(joined, at).then((changed) => (read = changed));
  return {
    get tools() {
      return read.tools;
    },
    get problems() {
      return read.problems;
    },
    about: { format: "sdk", why: WHY, unsupportedFeatures: unsupportedIn(joined.config) },
    dependsOnHost: true,
    get hooks() {
      return hasHooks(joined) ? copilotCallHooks(joined) : undefined;
    },
    onSession: (event, session) => notifyCopilot(joined, event, session, host),
  } as Contributions;
}

function portOf(host: FormatHost): Parameters<JoinedSession["attach"]>[0] {
  return {
    get sessionId() {
      return host.session().id;
    },
    log: (level, message) => host.log(level, message),
    send: (content) => host.act({ type: "user-message", content }),
    abort: () => host.act({ type: "stop" }),
  };
}

/** Copilot also requires a name, and one tool that is wrong must not cost the others. */
async function readTools(
  { tools }: JoinedSession,
  at: ExportContext,
): Promise<{ tools: readonly Tool[]; problems: readonly ExportProblem[] }> {
  const read: Tool[] = [];
  const problems: ExportProblem[] = [];
  for (const [index, definition] of tools.entries()) {
    const here = { ...at, member: `[${index}]` };
    try {
      read.push(await readSdkTool(checked(definition, index), here));
    } catch (thrown) {
      problems.push(toProblem(thrown, here));
    }
  }
  return { tools: read, problems };
}

function checked(definition: unknown, index: number): Parameters<typeof readSdkTool>[0] {
  const isNamed = isObject(definition) && typeof definition.name === "string" && definition.name !== "";
  if (isNamed && functionIn(definition)) return definition;
  throw new ExportError(
    "bad_definition",
    `Element [${index}] of the tools of joinSession() has no ${isNamed ? "handler" : "name"}. Write { name: "…", description: "…", parameters: { … }, handler: async (args) => … }.`,
    isNamed ? String(definition.name) : undefined,
  );
}

function hasHooks(joined: JoinedSession): boolean {
  const { hooks } = joined.config;
  return joined.hasListeners || (isObject(hooks) && Object.keys(hooks).some((name) => CALLED_HOOKS.has(name)));
}

/** What `joinSession` accepts and Toolwright does not use. Permission rules replace `onPermissionRequest`. */
const UNUSED: ReadonlyMap<string, string> = new Map([
  ["commands", "Its slash commands have"],
  ["canvases", "Its canvases have"],
  ["factories", "Its agent factories have"],
  ["customAgents", "Its agents have"],
  ["mcpServers", "Its MCP servers have"],
  ["systemMessage", "Its system message has"],
  ["skillDirectories", "Its skills have"],
]);

function unsupportedIn(config: JoinedSession["config"]): string[] {
  const unused = [...UNUSED].flatMap(([key, what]) =>
    config[key] === undefined ? [] : [`${what} no effect: Toolwright serves tools, and hooks around their calls.`],
  );
  const hooks = isObject(config.hooks) ? Object.keys(config.hooks).filter((name) => !CALLED_HOOKS.has(name)) : [];
  return [...unused, ...hooks.map((name) => `Its hook "${name}" is never called by Toolwright.`)];
}
