/** Arguments of a tool that a model has sent. */
type Params = Readonly<Record<string, unknown>>;

interface ReadOptions {
  readonly required?: boolean;
  /** The name of the argument in error messages. */
  readonly label?: string;
}

/** An error of the arguments. The model reads its message. */
export class ToolInputError extends Error {
  override readonly name: string = "ToolInputError";
  readonly status: number = 400;
}

export class ToolAuthorizationError extends ToolInputError {
  override readonly name: string = "ToolAuthorizationError";
  override readonly status: number = 403;
}

/** The value, or an error for a required one that is missing. */
function checked<Value>(value: Value | undefined, key: string, { required, label = key }: ReadOptions): Value {
  if (value === undefined && required) throw new ToolInputError(`${label} required`);
  return value as Value;
}

export function readStringParam(
  params: Params,
  key: string,
  options: ReadOptions & { readonly trim?: boolean; readonly allowEmpty?: boolean } = {},
): string | undefined {
  const { trim = true, allowEmpty = false } = options;
  const raw = params[key];
  const value = typeof raw === "string" && trim ? raw.trim() : raw;
  return checked(typeof value === "string" && (value !== "" || allowEmpty) ? value : undefined, key, options);
}

export function readStringOrNumberParam(params: Params, key: string, options: ReadOptions = {}): string | undefined {
  const raw = params[key];
  const value = typeof raw === "number" && Number.isFinite(raw) ? String(raw) : raw;
  return readStringParam({ [key]: value }, key, options);
}

export function readNumberParam(
  params: Params,
  key: string,
  options: ReadOptions & { readonly integer?: boolean; readonly strict?: boolean } = {},
): number | undefined {
  const raw = params[key];
  const parsed = typeof raw === "string" ? (options.strict ? Number(raw) : Number.parseFloat(raw)) : raw;
  const isNumber = typeof parsed === "number" && Number.isFinite(parsed) && raw !== "";
  const value = checked(isNumber ? parsed : undefined, key, options);
  return value !== undefined && options.integer ? Math.trunc(value) : value;
}

/** A list, a JSON list as text, or texts with commas between them. */
export function readStringArrayParam(params: Params, key: string, options: ReadOptions = {}): string[] | undefined {
  const raw = params[key];
  const list = typeof raw === "string" ? splitList(raw.trim()) : raw;
  const texts = Array.isArray(list) ? list.flatMap((each) => (typeof each === "string" ? each.trim() : [])) : [];
  const filled = texts.filter((each) => each !== "");
  return checked(filled.length > 0 ? filled : undefined, key, options);
}

function splitList(text: string): unknown {
  if (text.startsWith("[") && text.endsWith("]")) {
    try {
      return JSON.parse(text);
    } catch {
      // It is a text in brackets.
    }
  }
  return text.split(",");
}

/** Whether an action of a channel is turned on. */
export function createActionGate(
  actions: Readonly<Record<string, boolean | undefined>> | undefined,
): (key: string, byDefault?: boolean) => boolean {
  return (key, byDefault = true) => actions?.[key] ?? byDefault;
}
