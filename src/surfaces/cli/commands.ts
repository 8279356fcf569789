import type { Command } from "./command.ts";
import { list } from "./commands/list.ts";

/** A command as the list of commands shows it; the rest of it is loaded when it is used. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Its JSON is the result of a call, also when the call could not be made. */
  readonly answersCall?: true;
  load(): Promise<Command>;
}

/** Every command, in the order in which help lists them. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "list",
    summary: "list the tools that can be called here",
    // Built, it lies in the same file as this: it is the smallest of those that open a toolbox.
    load: async () => list,
  },
  {
    name: "show",
    summary: "show one tool and its arguments",
    load: async () => (await import("./commands/show.ts")).show,
  },
  { name: "run", summary: "call a tool", answersCall: true, load: async () => (await import("./commands/run.ts")).run },
  {
    name: "check",
    summary: "load every tool file and say what is wrong with it",
    load: async () => (await import("./commands/check.ts")).check,
  },
  {
    name: "mcp",
    summary: "serve the tools to an agent, as an MCP server",
    load: async () => (await import("./commands/mcp.ts")).mcp,
  },
  {
    name: "serve",
    summary: "serve the tools over HTTP: REST and MCP",
    load: async () => (await import("./commands/serve.ts")).serve,
  },
  {
    name: "new",
    summary: "write a first version of a tool",
    load: async () => (await import("./commands/new.ts")).create,
  },
  {
    name: "init",
    summary: "prepare a project: tools folder and editor support",
    load: async () => (await import("./commands/init.ts")).init,
  },
  {
    name: "trust",
    summary: "allow the tools of this project to run",
    load: async () => (await import("./commands/trust.ts")).trust,
  },
  {
    name: "permissions",
    summary: "show the rules for calls, and explain what they decide",
    load: async () => (await import("./commands/permissions.ts")).permissions,
  },
  {
    name: "install",
    summary: "make the tools known to an agent",
    load: async () => (await import("./commands/install.ts")).install,
  },
  {
    name: "uninstall",
    summary: "take them out of an agent again",
    load: async () => (await import("./commands/uninstall.ts")).uninstall,
  },
  {
    name: "doctor",
    summary: "look for what keeps tools from working",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
];
