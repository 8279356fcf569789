import { join } from "node:path";
import type { Client, Entry } from "./client.ts";
import { commandAndArgs } from "./launch.ts";
import { firstThere, folderNamedBy, xdgFolder } from "./places.ts";

const CLAUDE_CODE: Client = {
  id: "claude-code",
  name: "Claude Code",
  format: "json",
  file: {
    user: (at) => join(folderNamedBy("CLAUDE_CONFIG_DIR", at.home, at), ".claude.json"),
    project: ({ project }) => join(project, ".mcp.json"),
  },
  section: () => ["mcpServers"],
  toEntry: ({ command, args }) => ({ type: "stdio", command, args }),
  traces: (at) => [
    folderNamedBy("CLAUDE_CONFIG_DIR", join(at.home, ".claude"), at),
    join(folderNamedBy("CLAUDE_CONFIG_DIR", at.home, at), ".claude.json"),
  ],
  programs: ["claude"],
  next: (name, level) => [
    ...(level === "project" ? ["Start claude in the project, and approve the server when it asks."] : []),
    `In a new session, /mcp lists ${name} as connected.`,
  ],
};

const COPILOT: Client = {
  id: "copilot",
  name: "Copilot CLI",
  format: "json",
  file: {
    user: (at) => join(folderNamedBy("COPILOT_HOME", join(at.home, ".copilot"), at), "mcp-config.json"),
    // It reads .mcp.json too; but that is Claude Code's as well, which does not know these words.
    project: ({ project }) => join(project, ".github", "mcp.json"),
  },
  section: () => ["mcpServers"],
  toEntry: ({ command, args }) => ({ type: "local", command, args, tools: ["*"] }),
  traces: (at) => [folderNamedBy("COPILOT_HOME", join(at.home, ".copilot"), at)],
  programs: ["copilot"],
  next: (name, level) => [
    ...(level === "project" ? ["Start copilot in the project, and trust the folder when it asks."] : []),
    `In a new session, /mcp show lists ${name}.`,
  ],
};

const OPENCODE: Client = {
  id: "opencode",
  name: "OpenCode",
  format: "json",
  file: {
    user: (at) =>
      firstThere(...files(join(xdgFolder(at), "opencode")), join(xdgFolder(at), "opencode", "opencode.json")),
    project: ({ project }) =>
      firstThere(...files(project), ...files(join(project, ".opencode")), join(project, "opencode.json")),
  },
  section: (config) => (hasServerMap(config) ? ["mcp", "servers"] : ["mcp"]),
  toEntry: ({ command, args }) => ({ type: "local", command: [command, ...args] }),
  traces: (at) => [join(xdgFolder(at), "opencode")],
  programs: ["opencode", "opencode2"],
  next: (name) => [`Start opencode again: opencode mcp list shows ${name} as connected.`],
};

function files(folder: string): [string, string] {
  return [join(folder, "opencode.json"), join(folder, "opencode.jsonc")];
}

/** OpenCode 2 has the servers one level lower, and still reads the older form. A server may itself be called "servers". */
function hasServerMap(config: unknown): boolean {
  const servers = childOf(childOf(config, "mcp"), "servers");
  return (
    typeof servers === "object" &&
    servers !== null &&
    !["type", "command", "url", "enabled"].some((key) => key in servers)
  );
}

function childOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Entry)[key] : undefined;
}

const CODEX: Client = {
  id: "codex",
  name: "Codex",
  format: "toml",
  file: {
    user: (at) => join(folderNamedBy("CODEX_HOME", join(at.home, ".codex"), at), "config.toml"),
    project: ({ project }) => join(project, ".codex", "config.toml"),
  },
  section: () => ["mcp_servers"],
  toEntry: commandAndArgs,
  traces: (at) => [folderNamedBy("CODEX_HOME", join(at.home, ".codex"), at)],
  programs: ["codex"],
  next: (name, level) => [
    ...(level === "project"
      ? ["Codex reads the project's file only where you have told it to trust the project."]
      : []),
    `In a new session, /mcp lists ${name} and its tools.`,
  ],
};

const GEMINI: Client = {
  id: "gemini",
  name: "Gemini CLI",
  format: "json",
  file: {
    user: (at) => join(folderNamedBy("GEMINI_CLI_HOME", at.home, at), ".gemini", "settings.json"),
    project: ({ project }) => join(project, ".gemini", "settings.json"),
  },
  section: () => ["mcpServers"],
  toEntry: commandAndArgs,
  traces: (at) => [join(folderNamedBy("GEMINI_CLI_HOME", at.home, at), ".gemini")],
  programs: ["gemini"],
  next: (name, level) => [
    ...(level === "project" ? ["Start gemini in the project, and trust the folder when it asks."] : []),
    `In a new session, /mcp lists ${name} and its tools.`,
  ],
};

/** The programs that run in a terminal. */
export const TERMINAL_CLIENTS: readonly Client[] = [CLAUDE_CODE, COPILOT, OPENCODE, CODEX, GEMINI];
