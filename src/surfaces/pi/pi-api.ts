/** The part of pi's extension API that the extension uses. It is the same in pi 0.87, pi 1.5 and oh-my-pi 18. */
export interface PiApi {
  on(event: "session_start" | "session_shutdown", handler: (event: unknown, context: PiContext) => unknown): unknown;
  /** Adds or replaces a tool, and activates it. */
  registerTool(tool: RegisteredPiTool): void;
  getAllTools(): readonly { readonly name: string; readonly description?: string }[];
  /** The names of the tools that the model is shown. */
  getActiveTools(): readonly string[];
  setActiveTools(names: readonly string[]): Promise<void> | void;
}

export interface PiContext {
  readonly cwd: string;
  /** Whether a person can be asked. */
  readonly hasUI: boolean;
  readonly ui: PiDialogs;
}

/** Dialogs resolve to undefined when the user closes them. */
export interface PiDialogs {
  select(title: string, options: readonly string[], dialog?: PiDialogOptions): Promise<string | undefined>;
  confirm(title: string, message: string, dialog?: PiDialogOptions): Promise<boolean>;
  input(title: string, placeholder?: string, dialog?: PiDialogOptions): Promise<string | undefined>;
  notify(message: string, type?: "info" | "warning" | "error"): void;
}

interface PiDialogOptions {
  readonly signal?: AbortSignal;
}

export interface RegisteredPiTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** JSON Schema: pi's TypeBox schemas are JSON Schemas too. */
  readonly parameters: object;
  /** Only in oh-my-pi, which otherwise hides the tool from the model. */
  readonly loadMode: "essential";
  /** Hints for extensions that ask for permission. Since pi 0.99. */
  readonly annotations?: object;
  /** Throws if the call failed: pi has no other way to mark an error. */
  execute(
    id: string,
    input: unknown,
    signal: AbortSignal | undefined,
    onUpdate: ((update: PiToolResult) => void) | undefined,
    context: PiContext,
  ): Promise<PiToolResult>;
}

export interface PiToolResult {
  readonly content: readonly PiContent[];
  readonly details: unknown;
}

export type PiContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string };
