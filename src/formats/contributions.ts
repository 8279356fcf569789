import type { FormatInfo } from "../core/format-info.ts";
import type { HookedCall, HookedResult } from "../core/hooked.ts";
import type { Problem } from "../core/problem.ts";
import type { JsonSchema } from "../core/schema.ts";
import type { SessionAction, SessionEvent, SessionSnapshot } from "../core/session.ts";
import type { PlaceKind, Source, System, Tool } from "../core/tool.ts";

export type { FormatInfo } from "../core/format-info.ts";
export type { HookedCall, HookedResult } from "../core/hooked.ts";

/** A problem of one export. Where that export stands in the file is for the loader to find. */
export type ExportProblem = Omit<Problem, "line"> & { readonly exportName?: string; readonly line?: number };

/** A file that may hold tools, and what is known of it before it is read. */
export interface ModuleFile {
  readonly path: string;
  /** The name of its default export. */
  readonly name: string;
  readonly source: Source;
  readonly place: PlaceKind;
  readonly system: System;
  /** The package that the file belongs to. */
  readonly plugin?: { readonly name: string; readonly version?: string };
}

/** What a file gives. `tools` is read anew after each session event: some files register theirs only then. */
export interface Contributions {
  readonly tools: readonly Tool[];
  readonly problems: readonly ExportProblem[];
  /** What is wrong if the file has held tools before; if not, it is none of ours. */
  readonly problemsIfHadTools?: readonly Problem[];
  readonly about?: FormatInfo;
  /** Whether a function of the author's made the definitions, so that they hold for this directory only. */
  readonly dependsOnHost?: boolean;
  /** Files that were read beside the imported ones: a change of these changes the tools. */
  readonly reads?: readonly string[];
  readonly hooks?: CallHooks;
  /** Beside what single tools want to know. One call at a time; may reject: that is logged. */
  onSession?(event: SessionEvent, session: SessionSnapshot): Promise<void>;
  /** Lets go of what it holds. Never rejects. */
  close?(): Promise<void>;
}

/** What a file does to the calls of all tools, its own and others'. What a hook throws refuses, or fails, the call. */
export interface CallHooks {
  /** Undefined lets the call go on as it is. */
  before?(call: HookedCall): Promise<{ readonly input: unknown } | { readonly refuse: string } | undefined>;
  /** What is left out of the answer stays as it was. */
  after?(call: HookedCall, result: HookedResult): Promise<Partial<HookedResult> | undefined>;
}

/** A preview that a tool has made, to be applied or thrown away later by the tool `resolve`. */
export interface PendingAction {
  readonly label: string;
  readonly sourceToolName: string;
  readonly details?: unknown;
  apply(reason: string): Promise<unknown>;
  reject?(reason: string): Promise<unknown>;
}

/** What the files of other systems may ask of the place they run in. All of it can be called at any time. */
export interface FormatHost {
  /** The directory that the toolbox was opened for. */
  readonly cwd: string;
  readonly worktree: string;
  readonly hasUI: boolean;
  /** Calls a method of the user interface that is attached; without one it answers undefined. Arguments are plain data. */
  ui(method: string, args: readonly unknown[]): Promise<unknown>;
  log(level: "debug" | "info" | "warn" | "error", message: string, data?: unknown): void;
  /** For the session of the call that is running. Throws outside a call. */
  pushPendingAction(action: PendingAction): void;
  /** For the session of the call, or of the event, that is running; outside of both it goes nowhere. */
  act(action: SessionAction): void;
  /** The session of the call, or of the event, that is running; a nameless one outside of both. */
  session(): SessionSnapshot;
  /** Every tool that the toolbox serves, as last heard. */
  allTools(): readonly { readonly name: string; readonly description: string; readonly parameters: JsonSchema }[];
}
