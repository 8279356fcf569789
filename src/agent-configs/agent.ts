import type { AgentHomes } from "../discovery/agent-homes.ts";

/** Whom a configuration is for: the user, in every project, or whoever works in one project. */
export type Level = "user" | "project";

/** What decides where configurations are. All paths are absolute. */
export interface Surroundings extends AgentHomes {
  readonly platform: NodeJS.Platform;
  /** The root of the project that this is about. */
  readonly project: string;
}

/** How our server is started: a program and its arguments, without a shell. */
export interface Launch {
  readonly command: string;
  /** The first is the file of our command line. */
  readonly args: readonly string[];
}

/** One server, in the words of a client. */
export type Entry = Readonly<Record<string, unknown>>;

/** What is known of a program that starts MCP servers. */
export interface Client {
  /** What people type. */
  readonly id: string;
  readonly name: string;
  readonly format: "json" | "toml";
  /**
   * The files in which it looks for servers, of which none need exist. The first is the one to write to. Without `project`
   * the program knows the user's level only; a project's are in its root and in the folders below it.
   */
  readonly files: {
    readonly user: (at: Surroundings) => readonly [string, ...string[]];
    readonly project?: (folder: string) => readonly [string, ...string[]];
    /** The user's files of other editions of the program. What was written there is found and removed. */
    readonly others?: (at: Surroundings) => readonly string[];
  };
  /** Where in a file the servers stand, given what it holds. The first is where to write. */
  readonly sections: (config: unknown) => readonly [readonly string[], ...(readonly string[])[]];
  /** Where in it those stand that count in one project alone. What was written there is found and removed. */
  readonly projectSection?: (project: string) => readonly string[];
  readonly toEntry: (launch: Launch, level: Level) => Entry;
  /** Files and folders of which one is there when somebody has used the program. */
  readonly traces: (at: Surroundings) => readonly string[];
  /** What it is called on PATH. */
  readonly programs: readonly string[];
  /** What to do in the program before it calls tools, once the entry is written. */
  readonly next: (name: string, level: Level) => readonly string[];
}
