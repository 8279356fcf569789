import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { messageOf } from "../../../core/error.ts";
import type { SessionEvent, SessionSnapshot } from "../../../core/session.ts";
import type { Tool } from "../../../core/tool.ts";
import { isObject, isObjectOrFunction } from "../../../platform/values/is-object.ts";
import type { Contributions, ExportProblem, FormatHost } from "../contributions.ts";
import { type ExportContext, ExportError, toProblem } from "../export-context.ts";
import { readTool } from "../toolwright/read-tool.ts";
import { openShell } from "./bun-shell.ts";
import { openCodeClient } from "./client-stub.ts";
import { type OpenCodeHooks, toCallHooks } from "./plugin-hooks.ts";

/** The argument of a plugin. */
export async function pluginInput(host: FormatHost): Promise<Record<string, unknown>> {
  const { cwd, worktree } = host;
  return {
    client: openCodeClient(host),
    project: projectOf(worktree),
    directory: cwd,
    worktree,
    /** No server listens on it. */
    serverUrl: new URL("http://127.0.0.1:0"),
    experimental_workspace: { register: () => {} },
    $: openShell(cwd),
  };
}

function projectOf(worktree: string): Record<string, unknown> {
  return {
    id: createHash("sha1").update(worktree).digest("hex"),
    name: basename(worktree),
    worktree,
    ...(existsSync(join(worktree, ".git")) ? { vcs: "git" } : {}),
    time: { created: 0, initialized: 0 },
  };
}

/** The hooks of a plugin that have an effect in Toolwright. */
interface Plugin extends OpenCodeHooks {
  readonly tool?: Readonly<Record<string, unknown>>;
  event?(input: { event: OpenCodeEvent }): unknown;
  dispose?(): unknown;
}

interface OpenCodeEvent {
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

const USED = new Set(["tool", "event", "dispose", "tool.execute.before", "tool.execute.after"]);
const UNUSED =
  /^(?:auth|provider|config|permission\.ask|shell\.env|tool\.definition|command\.execute\.before|chat\.|experimental\.)/;

export function isPluginResult(returned: unknown): returned is object {
  if (!isObject(returned)) return false;
  return Object.entries(returned).some(
    ([key, value]) => (USED.has(key) || UNUSED.test(key)) && isObjectOrFunction(value),
  );
}

export async function readPluginHooks(
  returned: object,
  at: Pick<ExportContext, "exportName" | "file" | "source" | "host">,
): Promise<Contributions> {
  const plugin = returned as Plugin;
  const hooks = toCallHooks(plugin);
  const why = "its function returned hooks, the shape of an OpenCode plugin";
  return {
    ...(await toolsOf(plugin, { ...at, why })),
    about: { format: "opencode-plugin", why, unsupportedFeatures: unusedHooks(plugin).map(noEffect) },
    dependsOnHost: true,
    ...(hooks ? { hooks } : {}),
    ...(plugin.event ? { onSession: sessionListener(plugin, at.host) } : {}),
    ...(plugin.event || plugin.dispose ? { close: () => dispose(plugin, at) } : {}),
  };
}

/** Strings, such as a name, are not hooks. */
function unusedHooks(plugin: object): string[] {
  return Object.entries(plugin).flatMap(([key, value]) => (!USED.has(key) && isObjectOrFunction(value) ? [key] : []));
}

function noEffect(key: string): string {
  return `Its hook "${key}" is never called by Toolwright.`;
}

async function toolsOf(
  { tool = {} }: Plugin,
  at: Omit<ExportContext, "name">,
): Promise<{ tools: Tool[]; problems: ExportProblem[] }> {
  const tools: Tool[] = [];
  const problems: ExportProblem[] = [];
  for (const [name, definition] of Object.entries(tool)) {
    const here = { ...at, member: name, name };
    try {
      if (!isTool(definition)) throw new ExportError("bad_definition", notATool(name));
      const read = await readTool(definition, here);
      tools.push({ ...read, origin: { ...read.origin, format: "opencode-plugin" } });
    } catch (thrown) {
      problems.push(toProblem(thrown, here));
    }
  }
  return { tools, problems };
}

function isTool(value: unknown): value is Parameters<typeof readTool>[0] {
  return isObject(value) && "execute" in value && typeof value.execute === "function";
}

function notATool(name: string): string {
  return `"${name}" is not a tool. Write tool({ description: "…", args: { … }, async execute(args, context) { … } }).`;
}

function sessionListener(plugin: Plugin, host: FormatHost): NonNullable<Contributions["onSession"]> {
  return async (event, session) => {
    for (const each of toEvents(event, session, host)) await plugin.event?.({ event: each });
  };
}

/** Called when the process ends, not with a session: others may follow. */
async function dispose(plugin: Plugin, { file, host }: Pick<ExportContext, "file" | "host">): Promise<void> {
  const event = { type: "server.instance.disposed", properties: { directory: host.cwd } };
  for (const step of [() => plugin.event?.({ event }), () => plugin.dispose?.()]) {
    try {
      await step();
    } catch (error) {
      host.log("warn", `${file.path} failed in its dispose hook: ${messageOf(error)}`);
    }
  }
}

/** The events of OpenCode that correspond to a session event. */
function toEvents(event: SessionEvent, session: SessionSnapshot, host: FormatHost): OpenCodeEvent[] {
  const info = {
    id: session.id,
    title: session.name ?? "",
    directory: host.cwd,
    projectID: projectOf(host.worktree).id,
  };
  switch (event.reason) {
    case "start":
      return [{ type: event.resumed ? "session.updated" : "session.created", properties: { info } }];
    case "switch":
    case "branch":
    case "tree":
      return [{ type: "session.updated", properties: { info } }];
    case "auto_compaction_end":
      return event.result === undefined ? [] : [{ type: "session.compacted", properties: { sessionID: session.id } }];
    default:
      return [];
  }
}
