import { messageOf } from "../../../core/error.ts";
import { textOf } from "../../../core/result.ts";
import type { SessionEvent, SessionSnapshot } from "../../../core/session.ts";
import { TOOL_NAME } from "../../../core/tool.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import type { CallHooks, HookedCall, ShapedResult } from "../contributions.ts";
import { type Approval, askForApproval } from "./plugin-approval.ts";
import { identityOf, type PluginMoment, type PluginState } from "./plugin-state.ts";

type Handler = (event: object, context: object) => unknown;

/** A handler, and the tools that it is for. */
interface Registered {
  readonly handler: Handler;
  readonly priority: number;
  readonly tools: readonly string[] | undefined;
}

const CALL_EVENTS = ["before_tool_call", "after_tool_call"];
const SESSION_EVENTS = ["session_start", "session_end"];

/** The handlers that a plugin registers with `on()` and `registerHook()`. */
export class PluginHooks {
  readonly #state: PluginState;
  readonly #handlers = new Map<string, Registered[]>();

  constructor(state: PluginState) {
    this.#state = state;
  }

  /** Throws for a guard that is no function: without it, calls would pass that the plugin wants to see. */
  add(event: string, handler: unknown, options: unknown): void {
    if (typeof handler !== "function") {
      if (event === "before_tool_call") throw new TypeError('The handler of "before_tool_call" is not a function.');
      return;
    }
    if (![...CALL_EVENTS, ...SESSION_EVENTS].includes(event)) {
      return this.#state.ignore(`Its handler of "${event}" is never called: only OpenClaw has this event.`);
    }
    const { priority, matcher } = isObject(options) ? options : {};
    const added: Registered = {
      handler: handler as Handler,
      priority: typeof priority === "number" ? priority : 0,
      tools: toolsIn(matcher),
    };
    // The order of registration decides between equal priorities.
    const all = [...(this.#handlers.get(event) ?? []), added].sort((a, b) =>
      a.priority === b.priority ? 0 : b.priority - a.priority,
    );
    this.#handlers.set(event, all);
    this.#state.changed();
  }

  /** A policy comes before the handlers. Throws if it has no function. */
  addPolicy(policy: unknown): void {
    const { evaluate, matcher } = isObject(policy) ? policy : {};
    if (typeof evaluate !== "function")
      throw new TypeError('A policy of registerTrustedToolPolicy() has no "evaluate".');
    const handler: Handler = async (event, context) => {
      const answer = fieldsOf(await evaluate.call(policy, event, context));
      return answer.allow === false ? { block: true, blockReason: answer.reason } : answer;
    };
    this.add("before_tool_call", handler, { matcher, priority: Number.POSITIVE_INFINITY });
  }

  get callHooks(): CallHooks | undefined {
    if (!CALL_EVENTS.some((event) => this.#handlers.has(event))) return undefined;
    return {
      before: (call) => this.#before(call),
      after: async (call, result) => {
        await this.#after(call, result);
        return undefined;
      },
    };
  }

  get listensToSessions(): boolean {
    return SESSION_EVENTS.some((event) => this.#handlers.has(event));
  }

  async emitSession(event: SessionEvent, session: SessionSnapshot): Promise<void> {
    const name = { start: "session_start", shutdown: "session_end" }[event.reason as string];
    if (name === undefined) return;
    const context = identityOf({ session, directory: this.#state.at.host.cwd });
    const resumed = "resumed" in event && event.resumed ? { resumedFrom: session.id } : {};
    for (const { handler } of this.#handlers.get(name) ?? []) {
      await this.#observe(name, () => handler({ ...context, ...resumed, messageCount: 0 }, context));
    }
  }

  /** Every handler gets the arguments of the model. The last one that returns others decides, until one asks for approval. */
  async #before(call: HookedCall): Promise<{ input: unknown } | { refuse: string } | undefined> {
    let rewritten: object | undefined;
    let approval: Approval | undefined;
    for (const { handler } of this.#handlersFor("before_tool_call", call)) {
      try {
        const answer = fieldsOf(await handler(eventOf(call), contextOf(call)));
        if (answer.block) return { refuse: this.#reason(answer.blockReason) };
        if (isObject(answer.params) && !approval) rewritten = answer.params;
        if (answer.requireApproval) approval ??= fieldsOf(answer.requireApproval);
      } catch (thrown) {
        return {
          refuse: `The plugin "${this.#state.settings.id}" failed in its before_tool_call handler, so the call was not made: ${messageOf(thrown)}`,
        };
      }
    }
    const refuse = approval && (await askForApproval(approval, this.#state));
    if (refuse !== undefined) return { refuse };
    return rewritten && { input: isObject(call.input) ? { ...call.input, ...rewritten } : rewritten };
  }

  async #after(call: HookedCall, { content, data, isError }: ShapedResult): Promise<void> {
    const outcome = isError
      ? { error: textOf(content) }
      : { result: { content: structuredClone(content), details: structuredClone(data) } };
    const observed = this.#handlersFor("after_tool_call", call).map(({ handler }) =>
      this.#observe("after_tool_call", () => handler({ ...eventOf(call), ...outcome }, contextOf(call))),
    );
    await Promise.all(observed);
  }

  #handlersFor(event: string, call: HookedCall): readonly Registered[] {
    const name = comparable(call.tool);
    return (this.#handlers.get(event) ?? []).filter(({ tools }) => tools?.includes(name) ?? true);
  }

  async #observe(event: string, run: () => unknown): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.#state.at.host.log(
        "warn",
        `${this.#state.at.file.path} failed in its ${event} handler: ${messageOf(error)}`,
      );
    }
  }

  #reason(given: unknown): string {
    if (typeof given === "string" && given !== "") return given;
    return `The plugin "${this.#state.settings.id}" blocked this call. Do not repeat it unchanged.`;
  }
}

/** OpenClaw calls its shell tool "exec", and gives hooks this name for "bash" too. */
function openClawName(tool: string): string {
  return tool === "bash" ? "exec" : tool;
}

/** OpenClaw compares names in lower case. */
function comparable(tool: string): string {
  return openClawName(tool.trim().toLowerCase());
}

function toolsIn(matcher: unknown): readonly string[] | undefined {
  const listed: unknown = isObject(matcher) ? (matcher.toolName ?? matcher.tools) : matcher;
  if (listed === undefined || listed === null) return undefined;
  const names: unknown[] = [listed].flat();
  const isName = (each: unknown): each is string => typeof each === "string" && TOOL_NAME.test(each.trim());
  // What is not understood, such as a pattern, must not turn a guard off.
  return names.length > 0 && names.every(isName) ? names.map(comparable) : undefined;
}

function eventOf({ tool, input, callID }: HookedCall): object {
  return { toolName: openClawName(tool), params: isObject(input) ? copyOf(input) : {}, toolCallId: callID };
}

function contextOf(call: HookedCall): object {
  const moment: PluginMoment = { session: call.session, directory: call.directory };
  return {
    ...identityOf(moment),
    toolName: openClawName(call.tool),
    toolCallId: call.callID,
    workspaceDir: call.directory,
    requester: { channel: "toolwright", senderIsOwner: true },
  };
}

/** Inputs may contain values that cannot be cloned: the transforms of a schema return anything. */
function copyOf(input: object): object {
  try {
    return structuredClone(input);
  } catch {
    return { ...input };
  }
}

function fieldsOf(answer: unknown): Readonly<Record<string, unknown>> {
  return isObject(answer) ? answer : {};
}
