import { join } from "node:path";
import { folderNamedBy, xdgFolder } from "../../catalog/discovery/agent-homes.ts";
import type { AgentSetup, UserEnvironment } from "./agent.ts";
import {
  applicationFolder,
  firstExistingPath,
  inHomeAndProject,
  packagedRoamingFolder,
  roamingFolder,
} from "./application-folders.ts";
import { agent } from "./launch.ts";

const CLAUDE_DESKTOP = agent({
  id: "claude-desktop",
  name: "Claude Desktop",
  files: { user: (environment) => [join(claudeDesktopFolder(environment), "claude_desktop_config.json")] },
  markers: (environment) => [claudeDesktopFolder(environment)],
  programs: ["claude-desktop"],
  nextSteps: (name) => [
    `Quit Claude Desktop entirely and start it again: Settings, Developer lists ${name} as running.`,
    "Claude Desktop has no project: it gets the tools of your home folder, or of one project with -- --cwd DIR.",
  ],
});

function claudeDesktopFolder(environment: UserEnvironment): string {
  const packaged = environment.platform === "win32" ? packagedRoamingFolder("Claude_", environment) : undefined;
  return join(packaged ?? applicationFolder(environment), "Claude");
}

const CURSOR = agent({
  id: "cursor",
  name: "Cursor",
  files: inHomeAndProject(".cursor/mcp.json"),
  // Cursor may start servers outside the project, but replaces this variable.
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: Cursor replaces it
  toEntry: ({ command, args: [cli = "", mcp = "", ...flags] }, level) => ({
    type: "stdio",
    command,
    args: [cli, mcp, ...(level === "project" ? ["--cwd", "${workspaceFolder}"] : []), ...flags],
  }),
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above
  markers: ({ home }) => [join(home, ".cursor")],
  programs: ["cursor", "cursor-agent"],
  nextSteps: (name) => [`Restart Cursor, and check that ${name} is enabled among its MCP servers (Customize, MCPs).`],
});

const VSCODE = agent({
  id: "vscode",
  name: "VS Code",
  files: {
    user: (environment) => [
      join(firstExistingPath(...vscodeFolders(environment), vscodeFolders(environment)[0]), "User", "mcp.json"),
    ],
    project: (folder) => [join(folder, ".vscode", "mcp.json")],
    others: (environment) => vscodeFolders(environment).map((folder) => join(folder, "User", "mcp.json")),
  },
  sections: () => [["servers"]],
  toEntry: ({ command, args }) => ({ type: "stdio", command, args }),
  markers: vscodeFolders,
  programs: ["code", "code-insiders"],
  nextSteps: (name) => [
    `In VS Code, run "MCP: List Servers", choose ${name}, start it, and confirm that you trust it.`,
    "The tools are then offered to the agent in the Chat view.",
  ],
});

/** VS Code and VS Code Insiders have separate folders. */
function vscodeFolders(environment: UserEnvironment): [string, ...string[]] {
  const { VSCODE_PORTABLE: portable } = environment.env;
  if (portable) return [join(portable, "user-data")];
  const folder = folderNamedBy("VSCODE_APPDATA", applicationFolder(environment), environment);
  return [join(folder, "Code"), join(folder, "Code - Insiders")];
}

const WINDSURF = agent({
  id: "windsurf",
  name: "Windsurf",
  // Its later name is Devin Desktop, with another folder.
  files: {
    user: (environment) => [
      join(firstExistingPath(devinFolder(environment), windsurfFolder(environment)), "mcp_config.json"),
    ],
    others: (environment) => [join(windsurfFolder(environment), "mcp_config.json")],
  },
  markers: (environment) => [devinFolder(environment), windsurfFolder(environment)],
  programs: ["windsurf"],
  nextSteps: (name) => [
    `Restart Windsurf, or refresh its list of MCP servers: ${name} is listed with its tools.`,
    "Windsurf may start servers outside your project. If tools of the project are missing, install with -- --cwd DIR.",
  ],
});

function devinFolder(environment: UserEnvironment): string {
  return join(environment.platform === "win32" ? roamingFolder(environment) : xdgFolder(environment), "devin");
}

function windsurfFolder({ home }: UserEnvironment): string {
  return join(home, ".codeium", "windsurf");
}

const ZED = agent({
  id: "zed",
  name: "Zed",
  files: {
    user: (environment) => [join(zedFolder(environment), "settings.json")],
    project: (folder) => [join(folder, ".zed", "settings.json")],
  },
  sections: () => [["context_servers"]],
  markers: (environment) => [zedFolder(environment)],
  programs: ["zed", "zeditor"],
  nextSteps: (name, level) => [
    ...(level === "project" ? ["Open the project in Zed, and trust it when Zed asks."] : []),
    `In the Agent Panel's settings, ${name} has a green dot among the MCP servers.`,
  ],
});

/** On macOS Zed uses ~/.config, as terminal programs do. */
function zedFolder(environment: UserEnvironment): string {
  if (environment.platform === "win32") return join(roamingFolder(environment), "Zed");
  return environment.platform === "darwin"
    ? join(environment.home, ".config", "zed")
    : join(xdgFolder(environment), "zed");
}

/** Agents with a graphical interface. */
export const DESKTOP_AGENTS: readonly AgentSetup[] = [CLAUDE_DESKTOP, CURSOR, VSCODE, WINDSURF, ZED];
