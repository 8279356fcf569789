import type { HookedResult } from "../core/hooked.ts";
import { isObject } from "../core/is-object.ts";
import type { Content, ToolResult } from "../core/result.ts";

/** A call as the hooks of settings and of code see it. */
export interface HookCall {
  readonly tool: string;
  readonly input: unknown;
  readonly callID: string;
  readonly sessionID: string;
  readonly agent: string;
  readonly directory: string;
  readonly worktree: string;
}

/** Somebody who has a say in calls, wherever they come from. */
export interface CallHook {
  /** Goes on after "The hook". */
  readonly name: string;
  /**
   * What it says of a call, and of its result once there is one. May reject, and answer with anything: that is a failure of
   * the hook. Must end soon after the signal has fired.
   */
  ask(call: HookCall, result: ToolResult | undefined, signal: AbortSignal): Promise<unknown>;
}

/** What a hook says before a call: nothing, that it must not be, or that it gets another input. */
export interface BeforeAnswer {
  /** Why the call must not be, for the model. */
  readonly refuse?: string;
  /** The whole input that the tool gets instead. It is checked like any other. */
  readonly input?: Readonly<Record<string, unknown>>;
}

/** What a hook makes of a result: nothing, or something else. It is cut like any other. */
export interface AfterAnswer {
  /** The text that is shown instead of all content. */
  readonly output?: string;
  /** What is shown instead, where it is more than a text. */
  readonly content?: readonly Content[];
  /** The data that a program gets instead; null for none. */
  readonly data?: unknown;
  /** Makes it a failed call, with this message. */
  readonly error?: string;
}

/** Takes an answer for what it is. Throws, with words for whoever wrote the hook, where it is no answer. */
export function toBeforeAnswer(answer: unknown): BeforeAnswer {
  const said = fieldsOf(answer, ["refuse", "input"]);
  mustBe(said.refuse, "refuse", "a text", (value) => typeof value === "string" && value.trim() !== "");
  mustBe(said.input, "input", "an object", isObject);
  return said;
}

/** The same for what is said after a call. */
export function toAfterAnswer(answer: unknown): AfterAnswer {
  const said = fieldsOf(answer, ["output", "content", "data", "error"]);
  mustBe(said.output, "output", "a text", (value) => typeof value === "string");
  mustBe(said.content, "content", "a list of parts", Array.isArray);
  mustBe(said.error, "error", "a text", (value) => typeof value === "string" && value.trim() !== "");
  return said;
}

/** What of a result an answer changes. */
export function patchOf({ output, content, data, error }: AfterAnswer): Partial<HookedResult> {
  const shown = error ?? output;
  const parts = shown === undefined ? content : [{ type: "text" as const, text: shown }];
  return {
    ...(parts === undefined ? {} : { content: parts }),
    ...(data === undefined ? {} : { data }),
    ...(error === undefined ? {} : { isError: true }),
  };
}

/** A field that is not known is a slip of the pen, and must not pass for a yes. */
function fieldsOf(answer: unknown, known: readonly string[]): Record<string, unknown> {
  if (answer === undefined || answer === null) return {};
  const words = known.map((name) => `"${name}"`).join(", ");
  if (!isObject(answer)) throw new Error(`it answered with something that is not an object with ${words}`);
  const other = Object.keys(answer).find((name) => !known.includes(name));
  if (other !== undefined) throw new Error(`it answered with "${other}", which is not known here; known are ${words}`);
  return answer;
}

function mustBe(value: unknown, name: string, what: string, isOne: (value: unknown) => boolean): void {
  if (value !== undefined && !isOne(value)) throw new Error(`"${name}" in its answer is not ${what}`);
}
