import type { CommandDeclaration } from "../../core/file-command.ts";
import type { FormatInfo } from "../../core/format-info.ts";
import type { HookedCall } from "../../core/hooked-call.ts";
import type { OpencodePlugin } from "../../core/plugin-config.ts";
import type { Problem } from "../../core/problem.ts";
import type { ShapedResult } from "../../core/result.ts";
import type { JsonSchema } from "../../core/schema.ts";
import type { SessionAction, SessionEvent, SessionSnapshot } from "../../core/session.ts";
import type { PlaceKind, Source, System, Tool } from "../../core/tool.ts";

export type { FormatInfo } from "../../core/format-info.ts";
export type { HookedCall } from "../../core/hooked-call.ts";
export type { ShapedResult } from "../../core/result.ts";

/** A problem of one export. The loader adds the line of that export. */
export type ExportProblem = Omit<Problem, "line"> & { readonly exportName?: string; readonly line?: number };

/** A file that may define tools, before it is read. */
export interface ModuleFile {
  readonly path: string;
  /** The name of the tool that is its default export. */
  readonly name: string;
  readonly source: Source;
  readonly place: PlaceKind;
  readonly system: System;
  /** The package that contains the file. */
  readonly plugin?: { readonly name: string; readonly version?: string };
  /** Set if OpenCode loads the file as a plugin. */
  readonly opencodePlugin?: OpencodePlugin;
}

/** A loaded file: its text, and the paths of the file and its imports. */
export interface LoadedSource {
  readonly file: ModuleFile;
  readonly source: string;
  readonly imports?: (() => readonly string[]) | undefined;
}

/** The tools, hooks and listeners of a file. `tools` and `hooks` may change at any call or session event. */
export interface Contributions {
  readonly tools: readonly Tool[];
  readonly problems: readonly ExportProblem[];
  /** Reported only where tools are expected: the file had some before, is named, or is in a folder of JSON tools. */
  readonly problemsIfToolsExpected?: readonly Problem[];
  readonly about?: FormatInfo;
  /** Whether the definitions depend on the `FormatHost`. They are then valid for its directory only, and may change. */
  readonly dependsOnHost?: boolean;
  /** Files that were read in addition to the imported ones. A change to one of them changes the tools. */
  readonly reads?: readonly string[];
  readonly hooks?: CallHooks;
  /** Commands for people. They may change like `tools`. */
  readonly commands?: readonly FileCommand[];
  /** Called in addition to `onSession` of single tools, never concurrently. A rejection is logged. */
  onSession?(event: SessionEvent, session: SessionSnapshot): Promise<void>;
  /** Calls the listener when `tools` or `hooks` change at other times. */
  onChange?(listener: () => void): void;
  /** Releases connections and other resources. Never rejects. */
  close?(): Promise<void>;
}

/** A command of a file. */
export interface FileCommand extends CommandDeclaration {
  /** `args` is the text after the name. The signal fires when the command must stop. A rejection is shown to the person. */
  run(args: string, at: CommandRun): Promise<void>;
}

/** The session in which a person runs a command. */
export interface CommandRun {
  readonly session: SessionSnapshot;
  readonly directory: string;
  readonly signal: AbortSignal;
}

/** Hooks of one file around the calls of all tools. An error in `before` refuses the call, an error in `after` fails it. */
export interface CallHooks {
  /** Returns undefined to leave the call unchanged. */
  before?(call: HookedCall): Promise<{ readonly input: unknown } | { readonly refuse: string } | undefined>;
  /** Omitted fields keep their value. */
  after?(call: HookedCall, result: ShapedResult): Promise<Partial<ShapedResult> | undefined>;
}

/** A preview that a tool created. The tool `resolve` applies or discards it later. */
export interface PendingAction {
  readonly label: string;
  readonly sourceToolName: string;
  readonly details?: unknown;
  apply(reason: string): Promise<unknown>;
  reject?(reason: string): Promise<unknown>;
}

/** A component of a file that the user interface draws. Errors of `render` and `input` are passed to `failed`. */
export interface ViewComponent {
  readonly title?: string;
  readonly overlay: boolean;
  render(width: number, rows: number | undefined): readonly unknown[];
  input(data: string): void;
  failed(error: unknown): void;
}

/** A component while it is shown. */
export interface ShownComponent {
  /** The component must be drawn again. */
  changed(): void;
  close(): void;
  /** Resolves when it is no longer shown: closed by the file or the user, or because the call or command has ended. */
  readonly closed: Promise<void>;
}

/** Services of the host process for tool files. Every member can be called at any time. */
export interface FormatHost {
  /** The directory that the toolbox was opened in. */
  readonly cwd: string;
  readonly worktree: string;
  readonly hasUI: boolean;
  /** Whether the user interface shows components, as far as the host knows. */
  readonly hasViews: boolean;
  /**
   * Calls a method of the user interface. Resolves to undefined without one, and when the signal fires, which closes the dialog.
   * Arguments must be plain data.
   */
  ui(method: string, args: readonly unknown[], signal?: AbortSignal): Promise<unknown>;
  /** Shows a component. Resolves to undefined if the user interface shows none, and outside of calls, hooks and commands. */
  show(component: ViewComponent): Promise<ShownComponent | undefined>;
  log(level: "debug" | "info" | "warn" | "error", message: string, data?: unknown): void;
  /** Adds a preview to the session of the running call. Throws outside a call. */
  pushPendingAction(action: PendingAction): void;
  /** Acts on the session of the running call or event. Has no effect outside of both. */
  act(action: SessionAction): void;
  /** The session of the running call or event. Outside of both, a session with an empty id. */
  session(): SessionSnapshot;
  /** Every tool that the toolbox serves, as of the last update. */
  allTools(): readonly { readonly name: string; readonly description: string; readonly parameters: JsonSchema }[];
}
