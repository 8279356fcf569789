/** Every way in which a call can fail. Closed: a surface may switch over it. */
export type ToolErrorCode =
  | "unknown_tool"
  | "invalid_input"
  | "denied"
  | "timeout"
  | "aborted"
  | "crashed"
  | "failed"
  | "invalid_output";

const BRAND = Symbol.for("toolwright.ToolError");

/**
 * How a call failed. `message` is read by a model: it says what to do next.
 * Recognise it with `ToolError.is()`: it may come from another copy of this package.
 */
export class ToolError extends Error {
  override readonly name: string = "ToolError";
  readonly code: ToolErrorCode;
  /** What a program may want to know beside the message, as JSON: the issues of a bad input, say. */
  readonly data?: unknown;

  constructor(code: ToolErrorCode, message: string, options: { cause?: unknown; data?: unknown } = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    if (options.data !== undefined) this.data = options.data;
    Object.defineProperty(this, BRAND, { value: true });
  }

  static is(value: unknown): value is ToolError {
    return typeof value === "object" && value !== null && BRAND in value;
  }

  toJSON(): { code: ToolErrorCode; message: string; data?: unknown } {
    return { code: this.code, message: this.message, ...(this.data === undefined ? {} : { data: this.data }) };
  }
}

/** The message of anything that can be thrown, objects that resist being looked at included. Never throws. */
export function messageOf(thrown: unknown): string {
  try {
    if (typeof thrown !== "object" || thrown === null) return String(thrown);
    if ("message" in thrown && typeof thrown.message === "string" && thrown.message) return thrown.message;
    if (thrown instanceof Error) return thrown.name;
    return JSON.stringify(thrown) ?? String(thrown);
  } catch {
    return "something that cannot be shown was thrown";
  }
}
