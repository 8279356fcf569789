import type { Stamped } from "../../platform/files/stamp.ts";

/** Loads authors' files in this process, with full TypeScript syntax. */
export interface Loader {
  /** Imports a file. Rejects with the error that the file threw, or with `SourceProblem` or `NeedsBun`. */
  load(file: string): Promise<Record<string, unknown>>;
  /**
   * The imports of a loaded file, itself first; of installed packages only their entry. The stamps are from before the files
   * were read, so that an edit during the import is noticed.
   */
  importsOf(file: string): Stamped[];
  readonly edges: number;
  /** Removes the hooks. Loaded files stay loaded. */
  close(): void;
}
