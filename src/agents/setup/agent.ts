import type { AgentHomes } from "../../catalog/discovery/agent-homes.ts";

/** Whose config file it is: the user's, for all projects, or the project's, for everyone who works in it. */
export type Level = "user" | "project";

/** Decides where the config files of agents are. All paths are absolute. */
export interface UserEnvironment extends AgentHomes {
  readonly platform: NodeJS.Platform;
  /** The root of the current project. */
  readonly project: string;
}

/** The command that starts our MCP server, without a shell. */
export interface Launch {
  readonly command: string;
  /** The first is the file of our command line. */
  readonly args: readonly string[];
}

/** One MCP server in the format of an agent. */
export type ServerEntry = Readonly<Record<string, unknown>>;

/** A program that starts MCP servers, and the format of its config files. */
export interface AgentSetup {
  /** The name on our command line. */
  readonly id: string;
  readonly name: string;
  /** `extension`: the agent has no MCP client, and loads a file of ours that is one. */
  readonly format: "json" | "toml" | "extension";
  /** The files in which the agent searches for servers. None need exist. `install` writes to the first. */
  readonly files: {
    readonly user: (environment: UserEnvironment) => readonly [string, ...string[]];
    /** Files in the root of a project, or in a folder below it. Undefined if the agent has no config files in projects. */
    readonly project?: (folder: string) => readonly [string, ...string[]];
    /** The user's files of other editions of the program. `uninstall` searches them too. */
    readonly others?: (environment: UserEnvironment) => readonly string[];
  };
  /** Paths of the sections of a parsed file that hold servers. `install` writes to the first. */
  readonly sections: (config: unknown) => readonly [readonly string[], ...(readonly string[])[]];
  /** A section of the user's file for one project. `uninstall` searches it too. */
  readonly projectSection?: (project: string) => readonly string[];
  readonly toEntry: (launch: Launch, level: Level) => ServerEntry;
  /**
   * Fields of the entry with which the agent offers the tools to its model from the first request. Without them it hides tools
   * behind a search of its own. `install` adds them to the entry, `install --defer` leaves them out.
   */
  readonly loadFields?: ServerEntry;
  /** Fields of the entry with which the agent calls the tools without asking its user. Only `install --allow` writes them. */
  readonly allowFields?: ServerEntry;
  /**
   * One or two sentences that name the flag or setting with which the agent calls the tools without asking. `install` ends with
   * them. Undefined if the agent never asks.
   */
  readonly allowHint?: (name: string, level: Level) => string;
  /** Files and folders that the agent creates when it is first used. One of them is enough to detect it. */
  readonly markers: (environment: UserEnvironment) => readonly string[];
  /** Its program names on PATH. */
  readonly programs: readonly string[];
  /** The next steps of the user after the entry is written. */
  readonly nextSteps: (name: string, level: Level) => readonly string[];
}
