/** The ways in which a call can fail. A closed set: a surface may switch over it. */
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
 * A failed call. A model reads `message`, which says what to do next. Check with `ToolError.is()` instead of
 * `instanceof`: the error may come from another copy of this package.
 */
export class ToolError extends Error {
  override readonly name: string = "ToolError";
  readonly code: ToolErrorCode;
  /** Details for programs, as JSON, such as the issues of an invalid input. */
  readonly data?: unknown;

  constructor(code: ToolErrorCode, message: string, options: { cause?: unknown; data?: unknown } = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    if (options.data !== undefined) this.data = options.data;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Never throws, even if the value is a proxy that does. */
  static is(value: unknown): value is ToolError {
    try {
      return typeof value === "object" && value !== null && BRAND in value;
    } catch {
      return false;
    }
  }

  toJSON(): { code: ToolErrorCode; message: string; data?: unknown } {
    return { code: this.code, message: this.message, ...(this.data === undefined ? {} : { data: this.data }) };
  }
}

/** The message of any thrown value. Never throws, even if the value has a throwing getter. */
export function messageOf(thrown: unknown): string {
  try {
    if (typeof thrown !== "object" || thrown === null) return String(thrown);
    if ("message" in thrown && typeof thrown.message === "string" && thrown.message) return thrown.message;
    if (thrown instanceof Error) return thrown.name;
    return JSON.stringify(thrown) ?? String(thrown);
  } catch {
    return "a value that cannot be printed was thrown";
  }
}
