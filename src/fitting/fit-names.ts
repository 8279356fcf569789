import type { NameRules } from "./profile.ts";

const DIGITS = 7;

/**
 * The names under which tools are sent, in the order of the tools: as they are where they fit, else cut and marked with a few
 * digits that depend on the name alone. No two are the same.
 */
export function fitNames(names: readonly string[], rules: NameRules, server: string): readonly string[] {
  const most = Math.max(rules.most - prefixOf(rules, server).length, 1 + DIGITS);
  if (names.every((name) => fits(name, most, rules))) return names;
  const fitted = new Map(names.filter((name) => fits(name, most, rules)).map((name) => [name, name]));
  const taken = new Set(fitted.keys());
  // In an order of their own: which tool is listed first must not decide what another is called.
  for (const name of names.filter((each) => !fitted.has(each)).toSorted()) {
    const short = freeName(name, most, taken);
    fitted.set(name, short);
    taken.add(short);
  }
  return names.map((name) => fitted.get(name) ?? name);
}

/** What the client puts before each name. */
export function prefixOf({ prefix }: NameRules, server: string): string {
  return prefix.replaceAll("{server}", server);
}

function fits(name: string, most: number, { letterFirst }: NameRules): boolean {
  return name.length <= most && /^[a-zA-Z0-9_-]+$/.test(name) && (!letterFirst || /^[a-zA-Z_]/.test(name));
}

function freeName(name: string, most: number, taken: ReadonlySet<string>): string {
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, "_").replace(/^(?=[^a-zA-Z_])/, "_");
  const start = plain.slice(0, most - DIGITS - 1).replace(/[-_]+$/, "");
  for (let attempt = 0; ; attempt++) {
    const short = `${start}_${digits(attempt === 0 ? name : `${name}#${attempt}`)}`;
    if (!taken.has(short)) return short;
  }
}

function digits(text: string): string {
  // Loaded on use: hardly any name has to be cut, and a client waits for its list.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(text).digest("hex").slice(0, DIGITS);
}
