import type { Content, ShapedResult, ToolResult } from "../core/result.ts";
import { defined } from "../platform/values/defined.ts";
import { isObject } from "../platform/values/is-object.ts";

/** A call as it is passed to the hooks in the settings and in code. */
export interface HookCall {
  readonly tool: string;
  readonly input: unknown;
  readonly callID: string;
  readonly sessionID: string;
  readonly agent: string;
  readonly directory: string;
  readonly worktree: string;
}

/** A hook from the settings or from code. */
export interface CallHook {
  /** Follows "The hook" in messages. */
  readonly name: string;
  /**
   * Asks the hook about a call, and about its result if it has run. A rejection, or an answer of the wrong shape, is a failure
   * of the hook. Must settle soon after the signal has fired.
   */
  ask(call: HookCall, result: ToolResult | undefined, signal: AbortSignal): Promise<unknown>;
}

/** The answer of a hook before a call. An empty one lets the call pass unchanged. */
export interface BeforeAnswer {
  /** Refuses the call. The model reads this reason. */
  readonly refuse?: string;
  /** Replaces the whole input. The tool validates it as usual. */
  readonly input?: Readonly<Record<string, unknown>>;
}

/** The answer of a hook after a call. An empty one leaves the result unchanged. The output limits apply. */
export interface AfterAnswer {
  /** Replaces all content by this text. */
  readonly output?: string;
  /** Replaces all content, if it is more than a text. */
  readonly content?: readonly Content[];
  /** Replaces the data; null removes it. */
  readonly data?: unknown;
  /** Turns the call into a failed one with this message. */
  readonly error?: string;
}

/** Validates an answer. Throws with a message for the author of the hook. */
export function toBeforeAnswer(answer: unknown): BeforeAnswer {
  const fields = fieldsOf(answer, ["refuse", "input"]);
  mustBe(fields.refuse, "refuse", "a string", (value) => typeof value === "string" && value.trim() !== "");
  mustBe(fields.input, "input", "an object", isObject);
  return fields;
}

/** Validates an answer. Throws with a message for the author of the hook. */
export function toAfterAnswer(answer: unknown): AfterAnswer {
  const fields = fieldsOf(answer, ["output", "content", "data", "error"]);
  mustBe(fields.output, "output", "a string", (value) => typeof value === "string");
  mustBe(fields.content, "content", "an array", Array.isArray);
  mustBe(fields.error, "error", "a string", (value) => typeof value === "string" && value.trim() !== "");
  return fields;
}

/** The fields of a result that an answer changes. */
export function patchOf({ output, content, data, error }: AfterAnswer): Partial<ShapedResult> {
  const shown = error ?? output;
  const parts = shown === undefined ? content : [{ type: "text" as const, text: shown }];
  return defined({ content: parts, data, isError: error === undefined ? undefined : true });
}

/** An unknown field is probably a typo: the call must not pass because of it. */
function fieldsOf(answer: unknown, known: readonly string[]): Record<string, unknown> {
  if (answer === undefined || answer === null) return {};
  const names = known.map((name) => `"${name}"`).join(", ");
  if (!isObject(answer)) throw new Error(`it did not answer with an object with ${names}`);
  const other = Object.keys(answer).find((name) => !known.includes(name));
  if (other !== undefined) throw new Error(`it answered with the unknown field "${other}". Known fields: ${names}`);
  return answer;
}

function mustBe(value: unknown, name: string, what: string, isOne: (value: unknown) => boolean): void {
  if (value !== undefined && !isOne(value)) throw new Error(`"${name}" in its answer is not ${what}`);
}
