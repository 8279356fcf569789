import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { AgentError } from "../../../core/agent-error.ts";
import type { AgentContext, AgentSessionOptions } from "../../../core/coding-agent.ts";
import type { Access } from "../../../core/tool.ts";
import type { ClientLimits } from "../../../surfaces/client-limits/client-limits.ts";
import type { AgentProgram } from "../agent-packages.ts";
import type { McpServerEntry, TextChunk, ToolCallFields } from "./acp-sdk.ts";

/** What is known of an agent that speaks ACP. */
export interface AcpProgram {
  /** Its program, and how it is installed. Without it, the command is in the user's settings. */
  readonly program?: {
    readonly programs: readonly string[];
    readonly args?: readonly string[];
    readonly install: string;
  };
  /** Programs that its program starts. */
  readonly starts?: readonly AgentProgram[];
  /** Built-in tools of ours that the agent lacks. */
  readonly builtins?: readonly string[];
  /** The restrictions for names and schemas of our tools. Without it, those of the MCP client that lists them. */
  readonly limits?: ClientLimits;
  /** The name of our MCP server in the agent. */
  readonly server: string;
  /** Whether it lists our tools when it opens a session. Otherwise it does so later. */
  readonly listsAtOpen?: boolean;
  /** Whether a new session is given a title, because the agent would else ask a model for one. */
  readonly wantsTitle?: boolean;
  /** How a session is continued. Without it, sessions of the agent cannot be continued. */
  readonly resumesWith?: "session/load" | "session/resume";
  /** How the program is started for one session. Rejects with "unsupported" if it cannot take an option. */
  prepare(start: AcpStart): Promise<PreparedProgram>;
  /**
   * The tool of ours that a call means: its name as it was listed, and its input as far as the agent tells it. It must depend on
   * fields that the agent itself sets, never only on text that a model or a tool can choose.
   */
  ourTool(call: ToolCallFields): OurCall | undefined;
  /** Whether `ourTool` never tells the input of a call. */
  readonly hidesInput?: boolean;
  /** The agent's name for one of its own tools. */
  toolName(call: ToolCallFields): string;
  /** What a call of one of its own tools touches, if an extension of ours asks about it. */
  access?(tool: string, input: unknown, directory: string): readonly Access[];
  /** The error that a text of the agent's program reports, if it does: some agents end a failed turn like any other. */
  errorIn?(text: TextChunk): string | undefined;
  /** Whether a text is one of the agent's program for the person, and not of its model. */
  isNotice?(text: string): boolean;
}

interface OurCall {
  readonly listed: string;
  readonly input?: unknown;
  /** The id that the model gave the call, if the agent has changed it. */
  readonly callID?: string;
}

interface AcpStart {
  readonly options: AgentSessionOptions;
  readonly context: AgentContext;
  /** The MCP server of the session. */
  readonly server: { readonly url: string };
  /** A folder for the files of this start. It is removed when the program has ended. */
  readonly folder: string;
}

export interface PreparedProgram {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly servers: readonly McpServerEntry[];
  /** The model, if it is set after the session is open. */
  readonly model?: string;
  /** Text before the first prompt of a new session. */
  readonly preface?: string;
}

/** The entry of our server for `session/new`. */
export function entryOf(name: string, { url }: AcpStart["server"]): McpServerEntry {
  return { type: "http", name, url, headers: [] };
}

/**
 * Refuses to start in a project that the user has not trusted, if it has a folder with settings of the agent: they can name programs,
 * which the agent would run.
 */
export function refuseUntrusted(agent: string, folder: string, { trusted, root, directory }: AgentContext): void {
  if (trusted) return;
  const found = foldersUp(directory, root)
    .map((each) => join(each, folder))
    .find((each) => existsSync(each));
  if (found === undefined) return;
  throw new AgentError(
    "unsupported",
    `${found} has settings that can run programs, ${agent} would use them, and you have not trusted this project. To trust it, run: toolwright trust`,
  );
}

/** The directory, and the folders that contain it, up to the root of the project. */
function foldersUp(directory: string, root: string): string[] {
  const above = dirname(directory);
  return directory === root || above === directory ? [directory] : [directory, ...foldersUp(above, root)];
}

/** A record of the fields of a value that may be anything. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
