import type { Stamped } from "../files/stamp.ts";

/** Loads authors' files in this process, as its runtime loads its own, with all that TypeScript authors write. */
export interface Loader {
  /** Imports a file. Rejects with whatever the file threw, or with `SourceProblem` or `NeedsBun`. */
  load(file: string): Promise<Record<string, unknown>>;
  /**
   * The files that decided what a loaded file is, itself first; of installed packages only their entry. Each with
   * its stamp from before it was read, so that an edit during the import is noticed later.
   */
  importsOf(file: string): Stamped[];
  /** Grows whenever a file imports something it had not imported before. */
  readonly edges: number;
  /** Takes the hooks out again. What was loaded stays loaded. */
  close(): void;
}
