import { randomBytes } from "node:crypto";
import { createEventBus, type EventBus } from "../../../authoring/pi/event-bus.ts";
import { TOOL_FILE_API } from "../../../core/agent-extension.ts";
import type { SessionEntry } from "../../../core/session.ts";
import { factoryApi } from "./factory-api.ts";
import { noopProxy } from "./noop-proxy.ts";
import type { PiRuntime } from "./pi-runtime.ts";
import type { EventHandler, Registrations } from "./registrations.ts";
import { createSessionManager } from "./session-manager.ts";

/**
 * The argument of an exported function. It has the members of all systems, since the system is often unknown. `plugin` is
 * the argument of OpenCode plugins, if the function looks like one.
 */
export function createApi(runtime: PiRuntime, registrations: Registrations, plugin: object): object {
  const { host } = runtime;
  const members = { directory: host.cwd, worktree: host.worktree, [TOOL_FILE_API]: true };
  for (const part of [plugin, factoryApi(runtime), extensionApi(runtime, registrations)]) {
    // A spread would call the getters, and so load every schema library.
    Object.defineProperties(members, Object.getOwnPropertyDescriptors(part));
  }
  return noopProxy(members, (member, [name]) => {
    if (member.startsWith("register")) registrations.ignore(member, name);
    else runtime.logIgnored(`pi.${member}()`);
  });
}

/**
 * The members that only pi extensions have. Shortcuts, message renderers and model providers can be registered but are never
 * used.
 */
function extensionApi(runtime: PiRuntime, registrations: Registrations): object {
  const { host } = runtime;
  const flags = new Map<string, unknown>();
  const append = (fields: Readonly<Record<string, unknown>>): void =>
    host.act({ type: "entry", entry: entryOf(fields, runtime) });
  const ignored = (member: string): void => runtime.logIgnored(`pi.${member}()`);
  return {
    on: (event: string, handler: EventHandler) => registrations.on(event, handler),
    registerTool: (tool: unknown) => registrations.addTool(tool),
    registerCommand: (name: unknown, options?: unknown) => registrations.addCommand(name, options),
    registerFlag: (name: string, options?: { default?: unknown }) => {
      flags.set(name, options?.default);
      registrations.ignore("registerFlag", name);
    },
    getFlag: (name: string) => flags.get(name),
    getCommands: () =>
      registrations.commands.map(({ name, description }) => ({ name, description, source: "extension" })),
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
    setThinkingLevel: () => ignored("setThinkingLevel"),
    setModel: async () => {
      ignored("setModel");
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

/** All files of a host share one event bus. */
const buses = new WeakMap<object, EventBus>();

function busFor(runtime: PiRuntime): EventBus {
  const bus = buses.get(runtime.host) ?? createEventBus((error) => runtime.logFailure("a handler of pi.events", error));
  buses.set(runtime.host, bus);
  return bus;
}
