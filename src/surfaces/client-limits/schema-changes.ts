import { firstNames } from "../../platform/text/amount-text.ts";

const MAX_PATHS = 3;

/** The changes to a schema, each with the paths of all fields that have it. */
export class SchemaChanges {
  readonly #paths = new Map<string, Set<string>>();

  /** `path` is the path of a field; "" is the whole input. */
  add(change: string, path: string): void {
    const paths = this.#paths.get(change) ?? new Set();
    this.#paths.set(change, paths.add(path));
  }

  lines(): string[] {
    return [...this.#paths].map(([change, paths]) => {
      const named = [...paths].map((path) => path || "the input");
      return `${firstNames(named, MAX_PATHS)}: ${change}`;
    });
  }
}
