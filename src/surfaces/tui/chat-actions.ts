import type { SelectItem } from "@earendil-works/pi-tui";
import type { Builtins } from "../../catalog/builtin-selection.ts";
import type { SessionInfo } from "../../core/session-log.ts";
import type { Environment } from "../../settings/defaults.ts";
import type { Mode } from "../../settings/permissions/rule.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";

/** An agent that can run turns, or what it lacks. */
export interface AgentChoice {
  readonly name: string;
  readonly isReady: boolean;
  /** The command that installs what is missing. */
  readonly install?: string;
  /** The built-in tools that its sessions get: `CodingAgent.builtins`. */
  readonly builtins: Builtins;
}

/** The session that the chat shows, and how its next turn runs. */
export interface ChatState {
  readonly sessionID: string;
  /** Undefined until the first prompt creates the session. */
  readonly info: SessionInfo | undefined;
  readonly agent: string;
  readonly model: string | undefined;
  /** The mode of the session; undefined for that of the settings. */
  readonly mode: Mode | undefined;
  /** Whether a turn runs, in this process or in another one. */
  readonly isRunning: boolean;
  /** Which built-in tools the agent gets: `CodingAgent.builtins`, or those that the user chose. Undefined if unknown. */
  readonly builtins?: Builtins;
  /** The only tools that the model is shown; undefined for no such choice. */
  readonly tools: readonly string[] | undefined;
}

/** How a text is marked. */
export type NoticeKind = "info" | "warning" | "error";

/** What commands of the chat can do. */
export interface ChatActions {
  readonly toolbox: Toolbox;
  readonly state: ChatState;
  /** The environment of the program. It decides where the configuration files of agents are. */
  readonly env: Environment;
  /** All agents, those that are not installed included. */
  agents(): Promise<readonly AgentChoice[]>;
  /** Shows text in Markdown in the transcript. It is not part of the session. */
  show(markdown: string): void;
  notice(text: string, kind?: NoticeKind): void;
  /** Lets the user choose from a list that is filtered by typing. Undefined if it was closed. */
  pick(title: string, items: readonly SelectItem[]): Promise<SelectItem | undefined>;
  /** Shows another session. Rejects with a `SessionError` if there is none. */
  openSession(sessionID: string): Promise<void>;
  newSession(): void;
  setAgent(name: string): void;
  /** Undefined: the agent's own choice. */
  setModel(model: string | undefined): void;
  setMode(mode: Mode): void;
  send(prompt: string): void;
  /** Calls a tool for the user, and shows the call in the transcript. */
  callTool(name: string, input: unknown): void;
  /** Shows the tool cards in full, or collapsed again. */
  toggleExpanded(): void;
  /** Runs something that the user can stop with Escape. */
  runStoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  quit(): void;
}

/** A command that the user types after a slash. */
export interface ChatCommand {
  /** Without the slash. */
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  /** What its argument is, such as "[MODE]"; undefined if it takes none. */
  readonly argument?: string;
  /** The values that its argument can have. */
  complete?(chat: ChatActions): Promise<readonly SelectItem[]> | readonly SelectItem[];
  /** May reject: the message is shown to the user. */
  run(argument: string, chat: ChatActions): Promise<void> | void;
}
