import type { Environment } from "../config/options.ts";

/** Whom a configuration is for: the user, in every project, or whoever works in one project. */
export type Level = "user" | "project";

/** What decides where configurations are. All paths are absolute. */
export interface Surroundings {
  readonly env: Environment;
  readonly home: string;
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
  /** The file to change. It need not exist. Without `project` the program knows the user's level only. */
  readonly file: {
    readonly user: (at: Surroundings) => string;
    readonly project?: (at: Surroundings) => string;
  };
  /** Where in the file the servers stand, given what the file holds. */
  readonly section: (config: unknown) => readonly string[];
  readonly toEntry: (launch: Launch, level: Level) => Entry;
  /** Files and folders of which one is there when somebody has used the program. */
  readonly traces: (at: Surroundings) => readonly string[];
  /** What it is called on PATH. */
  readonly programs: readonly string[];
  /** What to do in the program before it calls tools, once the entry is written. */
  readonly next: (name: string, level: Level) => readonly string[];
}
