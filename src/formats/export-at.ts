import type { FormatHost, ModuleFile } from "./module.ts";

/** One export of a file, or one member of an export that is a set of tools, and where it was found. */
export interface ExportAt {
  readonly exportName: string;
  /** The key of a member, or its position in a list. */
  readonly member?: string;
  /** What it is called where it has no name of its own. */
  readonly name: string;
  readonly file: ModuleFile;
  readonly source: string;
  readonly host: FormatHost;
  /** What says that it is a tool, for whoever wrote it. */
  readonly why: string;
}
