import { randomBytes } from "node:crypto";
import { createEventBus, type EventBus } from "../../authoring/pi/event-bus.ts";
import type { SessionEntry } from "../../core/session.ts";
import { factoryApi } from "./factory-api.ts";
import { noopProxy } from "./noop-proxy.ts";
import type { PiRuntime } from "./pi-runtime.ts";
import type { Handler, Registrations } from "./registrations.ts";
import { createSessionManager } from "./session-manager.ts";

/**
 * What extensions of pi are called with, beside what factories get. What is not here does nothing: commands, shortcuts,
 * renderers of messages and providers of models may be registered, and nothing ever asks for them.
 */
function extensionApi(runtime: PiRuntime, registrations: Registrations): object {
  const { host } = runtime;
  const flags = new Map<string, unknown>();
  const append = (fields: Readonly<Record<string, unknown>>): void =>
    host.act({ type: "entry", entry: entryOf(fields, runtime) });
  const nothing = (member: string): void => runtime.ignored(`pi.${member}()`);
  return {
    on: (event: string, handler: Handler) => registrations.on(event, handler),
    registerTool: (tool: unknown) => registrations.addTool(tool),
    registerFlag: (name: string, options?: { default?: unknown }) => {
      flags.set(name, options?.default);
      registrations.ignore("registerFlag", name);
    },
    getFlag: (name: string) => flags.get(name),
    getCommands: () => [],
    sendMessage: (message: unknown, options?: unknown) => host.act({ type: "message", message, options }),
    sendUserMessage: (content: unknown, options?: unknown) => host.act({ type: "user-message", content, options }),
    appendEntry: (customType: string, data?: unknown) => append({ type: "custom", customType, data }),
    setLabel: (targetId: string, label?: string) => append({ type: "label", targetId, label }),
    setSessionName: (name: string) => host.act({ type: "name", name: String(name) }),
    getSessionName: () => host.session().name,
    getAllTools: () => [...host.allTools()],
    getActiveTools: () => [...(host.session().activeTools ?? host.allTools().map(({ name }) => name))],
    setActiveTools: (names: readonly string[]) => host.act({ type: "active-tools", names: Array.from(names, String) }),
    getThinkingLevel: () => host.session().thinkingLevel ?? "off",
    setThinkingLevel: () => nothing("setThinkingLevel"),
    setModel: async () => {
      nothing("setModel");
      return false;
    },
    events: busFor(runtime),
  };
}

function entryOf(fields: Readonly<Record<string, unknown>>, { host, directory }: PiRuntime): SessionEntry {
  const parentId = createSessionManager(() => host.session(), directory()).getLeafId();
  const timestamp = new Date().toISOString();
  return { ...fields, type: String(fields.type), id: randomBytes(4).toString("hex"), parentId, timestamp };
}

/** One for all files that a host has loaded, by which they can find each other. */
const buses = new WeakMap<object, EventBus>();

function busFor(runtime: PiRuntime): EventBus {
  const bus = buses.get(runtime.host) ?? createEventBus((error) => runtime.failed("a handler of pi.events", error));
  buses.set(runtime.host, bus);
  return bus;
}

/**
 * The one object that a file's function is called with, whichever system it was written for: it has the members of all.
 * `plugin` holds those of OpenCode's plugins, where the file looks like one.
 */
export function createApi(runtime: PiRuntime, registrations: Registrations, plugin: object): object {
  const { host } = runtime;
  const members = { directory: host.cwd, worktree: host.worktree };
  for (const part of [plugin, factoryApi(runtime), extensionApi(runtime, registrations)]) {
    // Not copied with a spread, which would ask every getter, and so load every library.
    Object.defineProperties(members, Object.getOwnPropertyDescriptors(part));
  }
  return noopProxy(members, (member, [name]) => {
    if (member.startsWith("register")) registrations.ignore(member, name);
    else runtime.ignored(`pi.${member}()`);
  });
}
