import { join } from "node:path";
import {
  claudeFile,
  claudeFolder,
  copilotFolder,
  folderNamedBy,
  piFolder,
} from "../../catalog/discovery/agent-homes.ts";
import {
  opencodeFilesIn,
  opencodeFolder,
  opencodeProjectFiles,
  opencodeSections,
  opencodeUserFiles,
} from "../../catalog/discovery/opencode-config.ts";
import { EXTENSION_FILE } from "../../core/agent-extension.ts";
import type { AgentSetup, UserEnvironment } from "./agent.ts";
import { firstExistingPath } from "./application-folders.ts";
import { agent } from "./launch.ts";

const CLAUDE_CODE = agent({
  id: "claude-code",
  name: "Claude Code",
  files: {
    user: (environment) => [claudeFile(environment)],
    project: (folder) => [join(folder, ".mcp.json")],
  },
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
});

const COPILOT = agent({
  id: "copilot",
  name: "Copilot CLI",
  files: {
    user: (environment) => [join(copilotFolder(environment), "mcp-config.json")],
    // Copilot reads .mcp.json too, but so does Claude Code, which does not accept this entry.
    project: (folder) => [join(folder, ".github", "mcp.json")],
  },
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
});

const OPENCODE = agent({
  id: "opencode",
  name: "OpenCode",
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
});

function opencodeFile(environment: UserEnvironment): string {
  const folder = opencodeFolder(environment);
  return firstExistingPath(...opencodeFilesIn(folder), join(folder, "opencode.json"));
}

const CODEX = agent({
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
});

const GEMINI = agent({
  id: "gemini",
  name: "Gemini CLI",
  files: {
    user: (environment) => [
      join(folderNamedBy("GEMINI_CLI_HOME", environment.home, environment), ".gemini", "settings.json"),
    ],
    project: (folder) => [join(folder, ".gemini", "settings.json")],
  },
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
});

const PI = agent({
  id: "pi",
  name: "pi",
  // pi has an MCP client only since 0.99, and that one hides tools from the model. The extension works in every version.
  format: "extension",
  files: {
    user: (environment) => [join(piFolder(".pi", environment), "extensions", EXTENSION_FILE)],
    project: (folder) => [join(folder, ".pi", "extensions", EXTENSION_FILE)],
  },
  markers: (environment) => [piFolder(".pi", environment)],
  programs: ["pi"],
  nextSteps: (_name, level) => [
    ...(level === "project" ? ["Start pi in the project, and trust the project when it asks."] : []),
    "In a new session, or after /reload, pi shows the tools to its model, and calls them without asking.",
  ],
});

const OH_MY_PI: AgentSetup = {
  ...PI,
  id: "oh-my-pi",
  name: "oh-my-pi",
  // The MCP client of oh-my-pi hides tools from the model, and starts without those of a server that needs over 250 ms.
  files: {
    user: (environment) => [join(piFolder(".omp", environment), "extensions", EXTENSION_FILE)],
    project: (folder) => [join(folder, ".omp", "extensions", EXTENSION_FILE)],
  },
  markers: (environment) => [piFolder(".omp", environment)],
  programs: ["omp"],
  nextSteps: () => ["In a new session, oh-my-pi shows the tools to its model."],
};

/** Agents that run in a terminal. */
export const TERMINAL_AGENTS: readonly AgentSetup[] = [CLAUDE_CODE, COPILOT, OPENCODE, CODEX, GEMINI, PI, OH_MY_PI];
