import type { FormatHost } from "../contributions.ts";

const MOST_SESSIONS = 100;

/**
 * The values that tools of other libraries store for their run, by session. They are kept in memory, for the newest 100 sessions.
 * The tools of one library share them, as in an agent.
 */
export function sessionValues(host: FormatHost, library: string, sessionID: string): Record<string, unknown> {
  const libraries = hosts.get(host) ?? new Map<string, Sessions>();
  hosts.set(host, libraries);
  const sessions: Sessions = libraries.get(library) ?? new Map<string, Record<string, unknown>>();
  libraries.set(library, sessions);
  const values = sessions.get(sessionID) ?? {};
  sessions.delete(sessionID);
  sessions.set(sessionID, values);
  const [oldest] = sessions.keys();
  if (sessions.size > MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest);
  return values;
}

type Sessions = Map<string, Record<string, unknown>>;

const hosts = new WeakMap<FormatHost, Map<string, Sessions>>();

/** Session values behind functions, under the names that ADK, AgentKit and Strands have for them. */
export function storeOf(values: Record<string, unknown>): object {
  const copy = (): Record<string, unknown> => ({ ...values });
  return {
    get: (key: string, fallback?: unknown) => (Object.hasOwn(values, key) ? values[key] : undefined) ?? fallback,
    set: (key: string, value: unknown) => {
      values[key] = value;
    },
    has: (key: string) => Object.hasOwn(values, key),
    delete: (key: string) => delete values[key],
    update: (changes: object) => void Object.assign(values, changes),
    clear: () => Object.keys(values).forEach((key) => void delete values[key]),
    keys: () => Object.keys(values),
    all: copy,
    getAll: copy,
    toRecord: copy,
  };
}

/** Functions of a library that need its agent. Each throws an error with its name. */
export function needsAgent(library: string, names: readonly string[]): Record<string, () => never> {
  const fail = (name: string) => (): never => {
    throw new Error(`${name}() needs an agent of ${library}, and this call has none.`);
  };
  return Object.fromEntries(names.map((name) => [name, fail(name)]));
}
