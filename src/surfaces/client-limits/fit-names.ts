const DIGITS = 7;

/** The limits of a client for tool names, its prefix included. */
export interface NameRules {
  /** The prefix that the client adds to each name; `{server}` is the name of this server in the client's settings. */
  readonly prefix: string;
  /** The maximum length of a name with its prefix. */
  readonly maxLength: number;
  /** Whether names must not start with a digit or a dash. */
  readonly letterFirst?: true;
}

/**
 * "tool_reference.tool_name: String should have at most 64 characters", counted with the prefix. It is here, apart from the limits of
 * other clients, because every tool file that imports this package loads it.
 */
export const CLAUDE_CODE_NAMES: NameRules = { prefix: "mcp__{server}__", maxLength: 64 };

/** The names that a client is sent, in the same order and unique. A name that is too long is cut and gets a hash of itself. */
export function fitNames(names: readonly string[], rules: NameRules, server: string): readonly string[] {
  const maxLength = Math.max(rules.maxLength - prefixOf(rules, server).length, 1 + DIGITS);
  if (names.every((name) => fits(name, maxLength, rules))) return names;
  const fitted = new Map(names.filter((name) => fits(name, maxLength, rules)).map((name) => [name, name]));
  const taken = new Set(fitted.keys());
  // Sorted, so that the fitted names do not depend on the order of the tools.
  for (const name of names.filter((each) => !fitted.has(each)).toSorted()) {
    const short = freeName(name, maxLength, taken);
    fitted.set(name, short);
    taken.add(short);
  }
  return names.map((name) => fitted.get(name) ?? name);
}

/** The prefix that the client adds to each name. */
export function prefixOf({ prefix }: NameRules, server: string): string {
  return prefix.replaceAll("{server}", server);
}

function fits(name: string, maxLength: number, { letterFirst }: NameRules): boolean {
  return name.length <= maxLength && /^[a-zA-Z0-9_-]+$/.test(name) && (!letterFirst || /^[a-zA-Z_]/.test(name));
}

function freeName(name: string, maxLength: number, taken: ReadonlySet<string>): string {
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, "_").replace(/^(?=[^a-zA-Z_])/, "_");
  const start = plain.slice(0, maxLength - DIGITS - 1).replace(/[-_]+$/, "");
  for (let attempt = 0; ; attempt++) {
    const short = `${start}_${digits(attempt === 0 ? name : `${name}#${attempt}`)}`;
    if (!taken.has(short)) return short;
  }
}

function digits(text: string): string {
  // Loaded on use, because few names have to be cut and `node:crypto` delays the first list.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(text).digest("hex").slice(0, DIGITS);
}
