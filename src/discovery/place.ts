import type { PlaceKind } from "../core/tool.ts";

/** The system whose folder a place is: a hint at the form of the files in it. */
export type System = "toolwright" | "atomic" | "opencode" | "omp" | "pi" | "claude" | "codex" | "aynd" | "qraftbox";

/** One folder in which tool files are looked for. Each is one place for name conflicts. */
export interface Place {
  /** Absolute. A configured place may also be a single file. */
  readonly path: string;
  readonly kind: PlaceKind;
  readonly system: System;
  /** Whether the files belong to the project, so that nothing of them runs before the project is trusted. */
  readonly ofProject: boolean;
}

/** One file that may hold tools. */
export interface ToolFile {
  /** Absolute, as found: links are not resolved, so that people recognise it. */
  readonly file: string;
  /** The name of its default export. */
  readonly name: string;
  readonly place: Place;
}
