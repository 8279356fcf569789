/** The types that OpenCode's tools and plugins import, for editors. */
import type { ToolDefinition } from "./toolwright.ts";

export * from "./toolwright.ts";

/** A function that OpenCode calls when it starts. It returns tools and hooks. */
export type Plugin = (input: PluginInput, options?: Record<string, unknown>) => Promise<Hooks>;

export interface PluginInput {
  /** The client of OpenCode's server, which does not run here: each call returns an error. */
  readonly client: Undescribed;
  readonly project: { readonly id: string; readonly worktree: string; readonly vcs?: string };
  readonly directory: string;
  readonly worktree: string;
  readonly serverUrl: URL;
  readonly $: PluginShell;
}

export interface Hooks {
  /** Tools, each under its name. */
  tool?: Record<string, ToolDefinition>;
  event?(input: { event: { type: string; properties: Undescribed } }): Promise<void>;
  /** Changes `args`, or throws to refuse the call with a message that the model reads. */
  "tool.execute.before"?(
    input: { tool: string; sessionID: string; callID: string },
    output: { args: Undescribed },
  ): Promise<void>;
  /** Changes the result of a call before the model reads it. */
  "tool.execute.after"?(
    input: { tool: string; sessionID: string; callID: string; args: Undescribed },
    output: { title: string; output: string; metadata: Undescribed },
  ): Promise<void>;
  dispose?(): Promise<void>;
  /** OpenCode has more hooks, which have no effect here. */
  [hook: string]: Undescribed;
}

/** Runs a command. Each `${}` is one argument, whatever characters it contains. */
export interface PluginShell {
  (command: TemplateStringsArray, ...values: unknown[]): ShellPromise;
  cwd(directory: string): PluginShell;
  env(variables: Record<string, string | undefined>): PluginShell;
  nothrow(): PluginShell;
  throws(whether: boolean): PluginShell;
}

export interface ShellPromise extends Promise<ShellOutput> {
  cwd(directory: string): this;
  env(variables: Record<string, string | undefined>): this;
  quiet(): this;
  nothrow(): this;
  throws(whether: boolean): this;
  text(): Promise<string>;
  json(): Promise<Undescribed>;
  lines(): AsyncIterable<string>;
}

export interface ShellOutput {
  readonly stdout: Undescribed;
  readonly stderr: Undescribed;
  readonly exitCode: number;
  text(): string;
  json(): Undescribed;
}

// biome-ignore lint/suspicious/noExplicitAny: OpenCode's own values have no types here, and an editor must not report their use
type Undescribed = any;
