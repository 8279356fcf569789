import { join } from "node:path";
import { claudeFile, claudeFolder, copilotFolder, folderNamedBy } from "../discovery/agent-homes.ts";
import {
  opencodeFilesIn,
  opencodeFolder,
  opencodeProjectFiles,
  opencodeSections,
  opencodeUserFiles,
} from "../discovery/opencode-config.ts";
import type { Client, Surroundings } from "./agent.ts";
import { firstThere } from "./config-paths.ts";
import { commandAndArgs } from "./launch.ts";

const CLAUDE_CODE: Client = {
  id: "claude-code",
  name: "Claude Code",
  format: "json",
  files: {
    user: (at) => [claudeFile(at)],
    project: (folder) => [join(folder, ".mcp.json")],
  },
  sections: () => [["mcpServers"]],
  // This is where "claude mcp add" writes to.
  projectSection: (project) => ["projects", project, "mcpServers"],
  toEntry: ({ command, args }) => ({ type: "stdio", command, args }),
  traces: (at) => [claudeFolder(at), claudeFile(at)],
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
  files: {
    user: (at) => [join(copilotFolder(at), "mcp-config.json")],
    // It reads .mcp.json too; but that is Claude Code's as well, which does not know these words.
    project: (folder) => [join(folder, ".github", "mcp.json")],
  },
  sections: () => [["mcpServers"]],
  toEntry: ({ command, args }) => ({ type: "local", command, args, tools: ["*"] }),
  traces: (at) => [copilotFolder(at)],
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
  files: {
    user: (at) => [opencodeFile(at), ...opencodeUserFiles(at)],
    project: (folder) => [
      firstThere(
        ...opencodeFilesIn(folder),
        ...opencodeFilesIn(join(folder, ".opencode")),
        join(folder, "opencode.json"),
      ),
      ...opencodeProjectFiles(folder),
    ],
  },
  // Every version reads the older form. The newer one is written where it is in use: it would hide one of the older form.
  sections: opencodeSections,
  toEntry: ({ command, args }) => ({ type: "local", command: [command, ...args] }),
  traces: (at) => [opencodeFolder(at), join(at.home, ".opencode")],
  programs: ["opencode", "opencode2"],
  next: (name) => [`Start opencode again: opencode mcp list shows ${name} as connected.`],
};

function opencodeFile(at: Surroundings): string {
  const folder = opencodeFolder(at);
  return firstThere(...opencodeFilesIn(folder), join(folder, "opencode.json"));
}

const CODEX: Client = {
  id: "codex",
  name: "Codex",
  format: "toml",
  files: {
    user: (at) => [join(folderNamedBy("CODEX_HOME", join(at.home, ".codex"), at), "config.toml")],
    project: (folder) => [join(folder, ".codex", "config.toml")],
  },
  sections: () => [["mcp_servers"]],
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
  files: {
    user: (at) => [join(folderNamedBy("GEMINI_CLI_HOME", at.home, at), ".gemini", "settings.json")],
    project: (folder) => [join(folder, ".gemini", "settings.json")],
  },
  sections: () => [["mcpServers"]],
  toEntry: commandAndArgs,
  traces: (at) => [join(folderNamedBy("GEMINI_CLI_HOME", at.home, at), ".gemini")],
  programs: ["gemini"],
  // It starts no servers at all, the user's included, in a folder that it does not trust.
  next: (name) => [
    "Start gemini in the project, and trust the folder when it asks.",
    `In a new session, /mcp lists ${name} and its tools.`,
  ],
};

/** The programs that run in a terminal. */
export const TERMINAL_CLIENTS: readonly Client[] = [CLAUDE_CODE, COPILOT, OPENCODE, CODEX, GEMINI];
