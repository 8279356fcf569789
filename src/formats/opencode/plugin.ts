import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { messageOf } from "../../core/error.ts";
import { isObject, isObjectOrFunction } from "../../core/is-object.ts";
import type { SessionEvent, SessionSnapshot } from "../../core/session.ts";
import type { Tool } from "../../core/tool.ts";
import type { Contributions, ExportProblem, FormatHost } from "../contributions.ts";
import { type ExportContext, ExportError, toProblem } from "../export-context.ts";
import { readTool } from "../toolwright/read-tool.ts";
import { openShell } from "./bun-shell.ts";
import { openCodeClient } from "./client-stub.ts";
import { type OpenCodeHooks, toCallHooks } from "./plugin-hooks.ts";

/** What a plugin is called with. */
export async function pluginInput(host: FormatHost): Promise<Record<string, unknown>> {
  const { cwd, worktree } = host;
  return {
    client: openCodeClient(host),
    project: projectOf(worktree),
    directory: cwd,
    worktree,
    /** Nothing listens there. */
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

/** What a plugin may return, as far as it has an effect here. */
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

/** Whether a function has returned the hooks of an OpenCode plugin. */
export function isPluginResult(returned: unknown): returned is object {
  if (!isObject(returned)) return false;
  return Object.entries(returned).some(
    ([key, value]) => (USED.has(key) || UNUSED.test(key)) && isObjectOrFunction(value),
  );
}

/** What the hooks that a plugin has returned give. */
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
    ...(plugin.event ? { onSession: listener(plugin, at.host) } : {}),
    ...(plugin.event || plugin.dispose ? { close: () => dispose(plugin, at) } : {}),
  };
}

/** A text, such as a name, is no hook. */
function unusedHooks(plugin: object): string[] {
  return Object.entries(plugin).flatMap(([key, value]) => (!USED.has(key) && isObjectOrFunction(value) ? [key] : []));
}

function noEffect(key: string): string {
  return `Its hook "${key}" is never called: Toolwright has no such hook.`;
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
      if (!isTool(definition)) throw new ExportError("bad_definition", noTool(name));
      const made = await readTool(definition, here);
      tools.push({ ...made, origin: { ...made.origin, format: "opencode-plugin" } });
    } catch (thrown) {
      problems.push(toProblem(thrown, here));
    }
  }
  return { tools, problems };
}

function isTool(value: unknown): value is Parameters<typeof readTool>[0] {
  return isObject(value) && "execute" in value && typeof value.execute === "function";
}

function noTool(name: string): string {
  return `"${name}" is no tool. Write tool({ description: "…", args: { … }, async execute(args, context) { … } }).`;
}

function listener(plugin: Plugin, host: FormatHost): NonNullable<Contributions["onSession"]> {
  return async (event, session) => {
    for (const told of toEvents(event, session, host)) await plugin.event?.({ event: told });
  };
}

/** When its process ends, and not with a session: there may be another. */
async function dispose(plugin: Plugin, { file, host }: Pick<ExportContext, "file" | "host">): Promise<void> {
  const event = { type: "server.instance.disposed", properties: { directory: host.cwd } };
  for (const step of [() => plugin.event?.({ event }), () => plugin.dispose?.()]) {
    try {
      await step();
    } catch (error) {
      host.log("warn", `${file.path} failed while it was disposed of: ${messageOf(error)}`);
    }
  }
}

/** What OpenCode would say of it, as far as it is true. */
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
