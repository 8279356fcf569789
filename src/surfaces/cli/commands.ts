import type { Command } from "./args/command.ts";
import { list } from "./commands/list.ts";

/** A command in the list of commands. Its code is loaded on use. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** What it prints with `--json`, if it fails before it starts: the result of a call, or an event. By default an error. */
  readonly answers?: "call" | "event";
  load(): Promise<Command>;
}

/** Every command, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "list",
    summary: "List the tools of this directory",
    // Bundled with this file: it is the smallest command that opens a toolbox.
    load: async () => list,
  },
  {
    name: "show",
    summary: "Show one tool and its arguments",
    load: async () => (await import("./commands/show.ts")).show,
  },
  { name: "run", summary: "Call a tool", answers: "call", load: async () => (await import("./commands/run.ts")).run },
  {
    name: "check",
    summary: "Load every tool file and report problems",
    load: async () => (await import("./commands/check.ts")).check,
  },
  {
    name: "mcp",
    summary: "Serve the tools to an agent as an MCP server",
    load: async () => (await import("./commands/mcp.ts")).mcp,
  },
  {
    name: "serve",
    summary: "Serve the tools over HTTP (REST and MCP)",
    load: async () => (await import("./commands/serve.ts")).serve,
  },
  {
    name: "new",
    summary: "Create a tool file from a template",
    load: async () => (await import("./commands/new.ts")).create,
  },
  {
    name: "init",
    summary: "Create the tools folder and editor support",
    load: async () => (await import("./commands/init.ts")).init,
  },
  {
    name: "trust",
    summary: "Allow the tools of this project to run",
    load: async () => (await import("./commands/trust.ts")).trust,
  },
  {
    name: "permissions",
    summary: "Show the permission rules, or explain a decision",
    load: async () => (await import("./commands/permissions.ts")).permissions,
  },
  {
    name: "chat",
    summary: "Run an agent with the tools",
    answers: "event",
    load: async () => (await import("./commands/chat.ts")).chat,
  },
  {
    name: "agents",
    summary: "List the agents, and what they need",
    load: async () => (await import("./commands/agents.ts")).agents,
  },
  {
    name: "sessions",
    summary: "List, show, export, branch and remove sessions",
    load: async () => (await import("./commands/sessions.ts")).sessions,
  },
  {
    name: "install",
    summary: "Add Toolwright to an agent's configuration",
    load: async () => (await import("./commands/install.ts")).install,
  },
  {
    name: "uninstall",
    summary: "Remove Toolwright from an agent's configuration",
    load: async () => (await import("./commands/uninstall.ts")).uninstall,
  },
  {
    name: "doctor",
    summary: "Diagnose the installation",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
];
