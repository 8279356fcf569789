/** The names that SDKs use for the function of a tool. */
const NAMES = ["handler", "execute", "callback", "cb"] as const;

/** The function of a tool of an SDK. */
export function functionIn(definition: object): ((input: unknown, context: unknown) => unknown) | undefined {
  const values = definition as Readonly<Record<string, unknown>>;
  const name = NAMES.find((each) => typeof values[each] === "function");
  return name && (values[name] as (input: unknown, context: unknown) => unknown).bind(definition);
}
