import type { Sandbox } from "../fixture.ts";
import type { Answer, Wire } from "./wire.ts";

/** How to run a real agent, and what it passes to its model. */
export interface Agent {
  readonly name: string;
  /** Its name in `toolwright install`, and its folder in `e2e/`. */
  readonly id: string;
  /** Its folder in `e2e/`, if that has another name. */
  readonly folder?: string;
  /** Relative to `node_modules/.bin`. */
  readonly program: string;
  readonly wire: Wire;
  readonly config: AgentConfig;
  /** Options of `install` with which it calls the tools without asking. */
  readonly install?: readonly string[];
  /** Command-line arguments, with those that allow Toolwright's tools if `install` cannot. Its own defaults otherwise. */
  readonly args: readonly string[];
  /**
   * Arguments with which it waits for slow servers, if it leaves them out by default. Tests of the first request do not use
   * them: on a busy machine they run the agent again.
   */
  readonly waitArgs?: readonly string[];
  /** Tool files with which it hides all tools from its model after `install --defer`; undefined if it never does. */
  readonly hidesWith?: Readonly<Record<string, string>>;
  readonly env?: (origin: string) => Record<string, string>;
  /** Writes further files into its home folder. */
  readonly prepare?: (home: string, packages: string, origin: string) => void;
  /** The name of a tool as its model sees it. */
  readonly named: (tool: string) => string;
  /** The agent's own tools, if it does not prefix the names of ours. */
  readonly ownTools?: readonly string[];
  /** The input schemas as its model sees them. */
  readonly schemas: Readonly<Record<"find" | "note" | "print" | "count", object>>;
  /** The shortened form of the longest tool name, without the agent's prefix. */
  readonly longName: string;
  /** The result of a call as its model sees it. */
  readonly resultFor: (call: Called) => Answer;
  /** Replaces parts of a result that differ between runs. */
  readonly normalize?: (text: string) => string;
  /** Toolwright's message for a call with an ask rule, when no user answers. */
  readonly unanswered: string;
  /** Whether images reach the model. */
  readonly passesImages: boolean;
  /** Matches the path of the file in which the agent saves an output that it truncates itself. */
  readonly savedOutput?: RegExp;
}

/** A call and Toolwright's result text. */
export interface Called {
  readonly tool: string;
  readonly input: object;
  readonly words: string;
  readonly failed?: true;
}

/** The configuration files of an agent. */
export interface AgentConfig {
  /** Path of the user's file in the home folder. */
  readonly file: string;
  /** Its content before `install`, for a model at this origin. */
  readonly before: (origin: string) => string;
  /** Its content after `uninstall`, for an agent that changes the file itself. */
  readonly after?: (used: string) => string;
  /** Path of the project's file in the project. */
  readonly projectFile: string;
  /** Its content after `uninstall`, for an agent that changes the file itself. */
  readonly projectAfter?: string;
  /** Writes the consent of the user to the project's servers. */
  readonly approve?: (at: Sandbox) => void;
}
