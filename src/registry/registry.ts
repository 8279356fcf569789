import { notify } from "../core/notify.ts";
import type { Problem } from "../core/problem.ts";
import { setNewest } from "../core/set-newest.ts";
import { type Entry, identityOf, type Shadowed, type ToolInfo, toInfo } from "./entry.ts";
import type { Names } from "./resolve-names.ts";

/** What came of asking for a name. */
export type Lookup =
  | { readonly kind: "found"; readonly entry: Entry }
  | { readonly kind: "disabled"; readonly entry: Entry }
  /** The session that asks was shown another tool under this name, or one that is gone. */
  | { readonly kind: "replaced" | "removed" }
  | { readonly kind: "unknown" };

/** The most sessions with pinned tools; the oldest lose their pins. */
const MAX_PINNED = 10_000;

const NOTHING: Names = { entries: new Map(), shadowed: [], problems: [] };

/** Which tools there are, by name. Runs nothing. */
export class Registry {
  readonly #listeners = new Set<() => void>();
  readonly #pinned = new Map<string, ReadonlyMap<string, string>>();
  /** Made once per state and shared by all sessions that begin in it. */
  #identities: ReadonlyMap<string, string> | undefined;
  #names: Names = NOTHING;
  /** Not listed unless asked for, but there for whoever calls them. A tool of the same name goes before. */
  readonly #hidden: ReadonlyMap<string, Entry>;

  constructor(hidden: readonly Entry[] = []) {
    this.#hidden = new Map(hidden.map((entry) => [entry.manifest.name, entry]));
  }

  /** Sorted by name. `also` names hidden ones that are to be shown. */
  list(also: readonly string[] = []): readonly ToolInfo[] {
    const { entries } = this.#names;
    const shown = also.flatMap((name) => (entries.has(name) ? [] : (this.#hidden.get(name) ?? [])));
    return [...entries.values(), ...shown].map(toInfo).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  get(name: string): ToolInfo | undefined {
    const entry = this.#names.entries.get(name);
    return entry && toInfo(entry);
  }

  has(name: string): boolean {
    return this.#names.entries.has(name);
  }

  get count(): number {
    return this.#names.entries.size;
  }

  get shadowed(): readonly Shadowed[] {
    return this.#names.shadowed;
  }

  get problems(): readonly Problem[] {
    return this.#names.problems;
  }

  /** Finds a tool as a session knows it: a name that meant another tool when the session began is refused. */
  lookup(name: string, sessionID?: string): Lookup {
    const entry = this.#names.entries.get(name) ?? this.#hidden.get(name);
    const shown = sessionID === undefined ? undefined : this.#pinned.get(sessionID)?.get(name);
    if (!entry) return { kind: shown === undefined ? "unknown" : "removed" };
    if (shown !== undefined && shown !== identityOf(entry)) return { kind: "replaced" };
    return { kind: entry.enabled ? "found" : "disabled", entry };
  }

  /** Pins the tools that a session begins with: a name that later means another tool is refused in this session. */
  pinTools(sessionID: string): void {
    this.#identities ??= new Map([...this.#names.entries].map(([name, entry]) => [name, identityOf(entry)]));
    setNewest(this.#pinned, sessionID, this.#identities, MAX_PINNED);
  }

  replace(names: Names): void {
    const before = this.#names;
    this.#names = names;
    this.#identities = undefined;
    // Before the first time nobody has been shown anything.
    if (before !== NOTHING && this.#listeners.size > 0 && fingerprint(before) !== fingerprint(names)) this.touch();
  }

  /** Tells everybody that what they are shown has changed. */
  touch(): void {
    for (const listener of [...this.#listeners]) notify(listener, undefined);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** Changes when anything that a client or a person is shown changes. */
function fingerprint({ entries, shadowed, problems }: Names): string {
  return JSON.stringify([[...entries.values()].map(toInfo), shadowed, problems]);
}
