import { isObject } from "../../../platform/values/is-object.ts";
import type { FormatHost } from "../contributions.ts";
import { needsAgent } from "../frameworks/session-values.ts";
import { noopProxy } from "../pi/noop-proxy.ts";
import { ampHelpers } from "./amp-helpers.ts";
import type { AmpHandler, AmpRegistrations } from "./amp-registrations.ts";
import { ampShell } from "./amp-shell.ts";
import { ampUi } from "./amp-ui.ts";

/** The second argument of handlers and tools, and the argument of commands. */
export function ampContext(host: FormatHost, sessionID: string): object {
  return {
    logger: loggerOf(host),
    ui: ampUi(host),
    ai: needsAgent("Amp", ["ask"]),
    system: systemOf(host),
    $: ampShell(host.cwd),
    thread: threadOf(host, sessionID),
  };
}

/** The argument of a plugin. `ignored` gets the names of members that have no effect in Toolwright. */
export function ampApi(host: FormatHost, registrations: AmpRegistrations, ignored: (member: string) => void): object {
  const shared = {
    createAgent: (definition: unknown) => agentOf(definition, ignored, "createAgent"),
    getBuiltinAgent: (mode: unknown) => agentOf({ mode }, ignored, "getBuiltinAgent"),
    registerAgentMode: () => without(ignored, "registerAgentMode"),
    activeThread: { ...NO_VALUES, current: null },
    threads: { get: (id: unknown) => threadOf(host, String(id)) },
  };
  const members = {
    logger: loggerOf(host),
    system: systemOf(host),
    configuration: {
      ...NO_VALUES,
      get: async () => ({}),
      update: async () => ignored("configuration.update"),
      delete: async () => ignored("configuration.delete"),
    },
    $: ampShell(host.cwd),
    helpers: ampHelpers(host.cwd),
    ui: ampUi(host),
    ai: needsAgent("Amp", ["ask"]),
    onDispose: (dispose: unknown) => registrations.addDisposer(dispose),
    on: (event: string, handler: AmpHandler) => registrations.addHandler(event, handler),
    registerTool: (definition: unknown) => registrations.addTool(definition),
    registerCommand: (id: unknown, options: unknown, handler: unknown) =>
      registrations.addCommand(id, options, handler),
    ...shared,
    experimental: noopProxy(
      { ...shared, createStatusItem: () => ({ ...without(ignored, "createStatusItem"), update: () => {} }) },
      ignored,
    ),
  };
  return noopProxy(members, ignored);
}

function loggerOf(host: FormatHost): object {
  const log = (...values: unknown[]): void =>
    host.log("info", values.map((value) => (isObject(value) ? JSON.stringify(value) : String(value))).join(" "));
  return { log };
}

function systemOf(host: FormatHost): object {
  return {
    open: async (url: unknown) => host.log("info", `Open ${url}`),
    ampURL: new URL("https://ampcode.com/"),
    user: null,
    executor: { kind: "local" },
  };
}

const subscription = { unsubscribe: (): void => {} };

/** A stream of values that never come. */
const NO_VALUES = { subscribe: () => subscription, pipe: () => ({ subscribe: () => subscription }) };

function without(ignored: (member: string) => void, member: string): typeof subscription {
  ignored(member);
  return subscription;
}

/** The session of a call. What needs a model or another thread fails. */
function threadOf(host: FormatHost, id: string): object {
  const send = (message: unknown): void =>
    host.act({ type: "user-message", content: isObject(message) ? message.content : message });
  return {
    id,
    append: async (messages: readonly unknown[]) => messages.forEach(send),
    appendUserMessage: async (message: unknown) => send(message),
    cancel: async () => host.act({ type: "stop" }),
    messages: async () => [],
    title: { ...NO_VALUES, get: async () => null },
    state: { ...NO_VALUES, get: async () => "running" },
    ...needsAgent("Amp", ["agent", "waitForResponse"]),
  };
}

/** An agent can be created when the plugin is loaded. It fails when it is used. */
function agentOf(definition: unknown, ignored: (member: string) => void, member: string): object {
  ignored(member);
  return { definition, ...needsAgent("Amp", ["run", "createThread"]) };
}
