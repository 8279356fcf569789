import { join } from "node:path";
import { EXTENSION_FILE } from "../core/agent-extension.ts";
import { claudeFile, claudeFolder, copilotFolder, folderNamedBy } from "../discovery/agent-homes.ts";
import {
  opencodeFilesIn,
  opencodeFolder,
  opencodeProjectFiles,
  opencodeSections,
  opencodeUserFiles,
} from "../discovery/opencode-config.ts";
import type { Agent, UserEnvironment } from "./agent.ts";
import { firstExistingPath } from "./config-paths.ts";
import { commandAndArgs } from "./launch.ts";

const CLAUDE_CODE: Agent = {
  id: "claude-code",
  name: "Claude Code",
  format: "json",
  files: {
    user: (environment) => [claudeFile(environment)],
    project: (folder) => [join(folder, ".mcp.json")],
  },
  sections: () => [["mcpServers"]],
  // "claude mcp add" writes to this section.
  projectSection: (project) => ["projects", project, "mcpServers"],
  toEntry: ({ command, args }) => ({ type: "stdio", command, args }),
  loadFields: { alwaysLoad: true },
  allowHint: (name) =>
    `Claude Code asks before it calls a tool, and refuses without a terminal. To allow the tools, start it with --allowedTools mcp__${name}, or add "mcp__${name}" to "permissions.allow" in ~/.claude/settings.json.`,
  markers: (environment) => [claudeFolder(environment), claudeFile(environment)],
  programs: ["claude"],
  nextSteps: (name, level) => [
    ...(level === "project" ? ["Start claude in the project, and approve the server when it asks."] : []),
    `In a new session, /mcp lists ${name} as connected.`,
  ],
};

const COPILOT: Agent = {
  id: "copilot",
  name: "Copilot CLI",
  format: "json",
  files: {
    user: (environment) => [join(copilotFolder(environment), "mcp-config.json")],
    // Copilot reads .mcp.json too, but so does Claude Code, which does not accept this entry.
    project: (folder) => [join(folder, ".github", "mcp.json")],
  },
  sections: () => [["mcpServers"]],
  toEntry: ({ command, args }) => ({ type: "local", command, args, tools: ["*"] }),
  loadFields: { deferTools: "never" },
  allowHint: (name) =>
    `Copilot CLI asks before it calls a tool, and refuses without a terminal. To allow the tools, start it with --allow-tool ${name}.`,
  markers: (environment) => [copilotFolder(environment)],
  programs: ["copilot"],
  nextSteps: (name, level) => [
    ...(level === "project" ? ["Start copilot in the project, and trust the folder when it asks."] : []),
    `In a new session, /mcp show lists ${name}.`,
  ],
};

const OPENCODE: Agent = {
  id: "opencode",
  name: "OpenCode",
  format: "json",
  files: {
    user: (environment) => [opencodeFile(environment), ...opencodeUserFiles(environment)],
    project: (folder) => [
      firstExistingPath(
        ...opencodeFilesIn(folder),
        ...opencodeFilesIn(join(folder, ".opencode")),
        join(folder, "opencode.json"),
      ),
      ...opencodeProjectFiles(folder),
    ],
  },
  // Every version reads the older form. If the file uses the newer form, that one hides the older.
  sections: opencodeSections,
  toEntry: ({ command, args }) => ({ type: "local", command: [command, ...args] }),
  markers: (environment) => [opencodeFolder(environment), join(environment.home, ".opencode")],
  programs: ["opencode", "opencode2"],
  nextSteps: (name) => [`Start opencode again: opencode mcp list shows ${name} as connected.`],
};

function opencodeFile(environment: UserEnvironment): string {
  const folder = opencodeFolder(environment);
  return firstExistingPath(...opencodeFilesIn(folder), join(folder, "opencode.json"));
}

const CODEX: Agent = {
  id: "codex",
  name: "Codex",
  format: "toml",
  files: {
    user: (environment) => [
      join(folderNamedBy("CODEX_HOME", join(environment.home, ".codex"), environment), "config.toml"),
    ],
    project: (folder) => [join(folder, ".codex", "config.toml")],
  },
  sections: () => [["mcp_servers"]],
  toEntry: commandAndArgs,
  // Older versions ignore a field that they do not know.
  loadFields: { omit_tools_from: ["deferred", "code_mode"] },
  allowFields: { default_tools_approval_mode: "approve" },
  allowHint: (name) =>
    `Codex asks before it calls a tool, and "codex exec" refuses. To allow the tools, set default_tools_approval_mode = "approve" in [mcp_servers.${name}].`,
  markers: (environment) => [folderNamedBy("CODEX_HOME", join(environment.home, ".codex"), environment)],
  programs: ["codex"],
  nextSteps: (name, level) => [
    ...(level === "project" ? ["Codex reads the project's file only in projects that you trust in Codex."] : []),
    `In a new session, /mcp lists ${name} and its tools.`,
  ],
};

const GEMINI: Agent = {
  id: "gemini",
  name: "Gemini CLI",
  format: "json",
  files: {
    user: (environment) => [
      join(folderNamedBy("GEMINI_CLI_HOME", environment.home, environment), ".gemini", "settings.json"),
    ],
    project: (folder) => [join(folder, ".gemini", "settings.json")],
  },
  sections: () => [["mcpServers"]],
  toEntry: commandAndArgs,
  allowFields: { trust: true },
  allowHint: () =>
    'Gemini CLI asks before it calls a tool, and leaves the tools out without a terminal. To allow the tools, set "trust": true in the entry. Scripts need --skip-trust too, unless the folder is trusted.',
  markers: (environment) => [join(folderNamedBy("GEMINI_CLI_HOME", environment.home, environment), ".gemini")],
  programs: ["gemini"],
  // Gemini CLI starts no servers in an untrusted folder, not even the user's.
  nextSteps: (name) => [
    "Start gemini in the project, and trust the folder when it asks.",
    `In a new session, /mcp lists ${name} and its tools.`,
  ],
};

const PI: Agent = {
  id: "pi",
  name: "pi",
  // Only since 0.99 has pi an MCP client. The extension works in every version, and shows the tools to the model directly.
  format: "extension",
  files: {
    user: (environment) => [join(piFolder(environment), "extensions", EXTENSION_FILE)],
    project: (folder) => [join(folder, ".pi", "extensions", EXTENSION_FILE)],
  },
  sections: () => [["mcpServers"]],
  toEntry: commandAndArgs,
  markers: (environment) => [piFolder(environment)],
  programs: ["pi"],
  nextSteps: (_name, level) => [
    ...(level === "project" ? ["Start pi in the project, and trust the project when it asks."] : []),
    "In a new session, or after /reload, pi offers the tools to its model.",
  ],
};

function piFolder(environment: UserEnvironment): string {
  return folderNamedBy("PI_CODING_AGENT_DIR", join(environment.home, ".pi", "agent"), environment);
}

const OH_MY_PI: Agent = {
  id: "oh-my-pi",
  name: "oh-my-pi",
  format: "json",
  files: {
    user: (environment) => [join(ompFolder(environment), "mcp.json"), join(ompFolder(environment), ".mcp.json")],
    project: (folder) => [join(folder, ".omp", "mcp.json"), join(folder, ".omp", ".mcp.json")],
  },
  sections: () => [["mcpServers"]],
  toEntry: ({ command, args }) => ({ type: "stdio", command, args }),
  markers: (environment) => [ompFolder(environment)],
  programs: ["omp"],
  nextSteps: (name) => [`In a new session, /mcp list shows ${name} as connected.`],
};

function ompFolder(environment: UserEnvironment): string {
  return folderNamedBy("PI_CODING_AGENT_DIR", join(environment.home, ".omp", "agent"), environment);
}

/** Agents that run in a terminal. */
export const TERMINAL_AGENTS: readonly Agent[] = [CLAUDE_CODE, COPILOT, OPENCODE, CODEX, GEMINI, PI, OH_MY_PI];
