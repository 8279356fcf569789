import type { Problem } from "../../core/problem.ts";
import { Listeners } from "../../platform/values/listeners.ts";
import { identityOf, type RegistryEntry, type Shadowed, type ToolInfo, toInfo } from "./registry-entry.ts";
import type { Names } from "./resolve-names.ts";

/** The result of looking up a name. */
type Lookup =
  | { readonly kind: "found"; readonly entry: RegistryEntry }
  | { readonly kind: "disabled"; readonly entry: RegistryEntry }
  /** At the moment of the given identities, the name meant another tool, or a tool that is gone. */
  | { readonly kind: "replaced" | "removed" }
  | { readonly kind: "unknown" };

const NO_NAMES: Names = { entries: new Map(), shadowed: [], problems: [] };

/** The tools that are served, by name. Runs nothing. */
export class Registry {
  readonly #changes = new Listeners();
  /** The identity of each tool by name. Shared by all callers until the next change. */
  #identities: ReadonlyMap<string, string> | undefined;
  #names: Names = NO_NAMES;
  /** Tools that can be called, but are listed only on request. A listed tool of the same name takes precedence. */
  readonly #unlisted: ReadonlyMap<string, RegistryEntry>;

  constructor(unlisted: readonly RegistryEntry[] = []) {
    this.#unlisted = new Map(unlisted.map((entry) => [entry.manifest.name, entry]));
  }

  /** Sorted by name. `also` names unlisted tools to include. */
  list(also: readonly string[] = []): readonly ToolInfo[] {
    const { entries } = this.#names;
    const shown = also.flatMap((name) => (entries.has(name) ? [] : (this.#unlisted.get(name) ?? [])));
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

  /** Finds a tool. `identities` are those of an earlier moment: a name that meant another tool then is not found. */
  lookup(name: string, identities?: ReadonlyMap<string, string>): Lookup {
    const entry = this.#names.entries.get(name) ?? this.#unlisted.get(name);
    const pinned = identities?.get(name);
    if (!entry) return { kind: pinned === undefined ? "unknown" : "removed" };
    if (pinned !== undefined && pinned !== identityOf(toInfo(entry))) return { kind: "replaced" };
    return { kind: entry.enabled ? "found" : "disabled", entry };
  }

  /** What each name means now, for later lookups. */
  identities(): ReadonlyMap<string, string> {
    this.#identities ??= new Map([...this.#names.entries].map(([name, entry]) => [name, identityOf(toInfo(entry))]));
    return this.#identities;
  }

  replace(names: Names): void {
    const before = this.#names;
    this.#names = names;
    this.#identities = undefined;
    // The first list is not a change.
    if (before !== NO_NAMES && !this.#changes.isEmpty && fingerprint(before) !== fingerprint(names))
      this.notifyListeners();
  }

  /** Notifies all listeners that the list of tools has changed. */
  notifyListeners(): void {
    this.#changes.emit(undefined);
  }

  onChange(listener: () => void): () => void {
    return this.#changes.listen(listener);
  }
}

/** A text that changes whenever the list of tools, shadowed tools or problems changes. */
function fingerprint({ entries, shadowed, problems }: Names): string {
  return JSON.stringify([[...entries.values()].map(toInfo), shadowed, problems]);
}
