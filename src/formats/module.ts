import type { Problem } from "../core/problem.ts";
import type { Content } from "../core/result.ts";
import type { JsonSchema } from "../core/schema.ts";
import type { SessionAction, SessionEvent, SessionSnapshot } from "../core/session.ts";
import type { Format, PlaceKind, Source, System, Tool } from "../core/tool.ts";

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

/** What a file was taken for, for whoever wrote it. */
export interface About {
  readonly format: Format;
  /** What in the file, or about it, says so: the rest of a sentence that begins with "because". */
  readonly why: string;
  /** What the file uses and what has no effect here, a sentence each. */
  readonly without: readonly string[];
}

/** What a file gives. `tools` is read anew after each session event: some files register theirs only then. */
export interface FromFile {
  readonly tools: readonly Tool[];
  readonly problems: readonly ExportProblem[];
  readonly about?: About;
  /** Whether a function of the author's made the definitions, so that they hold for this directory only. */
  readonly made?: boolean;
  /** Files that were read beside the imported ones: a change of these changes the tools. */
  readonly reads?: readonly string[];
  readonly hooks?: CallHooks;
  /** Beside what single tools want to know. One call at a time; may reject: that is logged. */
  onSession?(event: SessionEvent, session: SessionSnapshot): Promise<void>;
}

/** A call of any tool, as hooks see it. */
export interface HookedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly callID: string;
  readonly session: SessionSnapshot;
  readonly directory: string;
}

/** How a call ended, as hooks see and change it. */
export interface HookedResult {
  readonly content: readonly Content[];
  readonly data?: unknown;
  readonly title?: string;
  readonly isError: boolean;
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
