import { join } from "node:path";
import { folderNamedBy, xdgFolder } from "../discovery/agent-homes.ts";
import type { Client, Surroundings } from "./agent.ts";
import { applicationFolder, firstThere, packagedRoamingFolder, roamingFolder } from "./config-paths.ts";
import { commandAndArgs } from "./launch.ts";

const CLAUDE_DESKTOP: Client = {
  id: "claude-desktop",
  name: "Claude Desktop",
  format: "json",
  files: { user: (at) => [join(claudeDesktopFolder(at), "claude_desktop_config.json")] },
  sections: () => [["mcpServers"]],
  toEntry: commandAndArgs,
  traces: (at) => [claudeDesktopFolder(at)],
  programs: ["claude-desktop"],
  next: (name) => [
    `Quit Claude Desktop entirely and start it again: Settings, Developer lists ${name} as running.`,
    "It has no project: it gets the tools of your home folder, or those of one project with -- --cwd DIR.",
  ],
};

function claudeDesktopFolder(at: Surroundings): string {
  const packaged = at.platform === "win32" ? packagedRoamingFolder("Claude_", at) : undefined;
  return join(packaged ?? applicationFolder(at), "Claude");
}

const CURSOR: Client = {
  id: "cursor",
  name: "Cursor",
  format: "json",
  files: {
    user: ({ home }) => [join(home, ".cursor", "mcp.json")],
    project: (folder) => [join(folder, ".cursor", "mcp.json")],
  },
  sections: () => [["mcpServers"]],
  // It does not promise to start servers in the project, but fills in where the project is.
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: Cursor fills it in, not we
  toEntry: ({ command, args: [cli = "", mcp = "", ...flags] }, level) => ({
    type: "stdio",
    command,
    args: [cli, mcp, ...(level === "project" ? ["--cwd", "${workspaceFolder}"] : []), ...flags],
  }),
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above
  traces: ({ home }) => [join(home, ".cursor")],
  programs: ["cursor", "cursor-agent"],
  next: (name) => [`Restart Cursor, and see that ${name} is switched on among its MCP servers (Customize, MCPs).`],
};

const VSCODE: Client = {
  id: "vscode",
  name: "VS Code",
  format: "json",
  files: {
    user: (at) => [join(firstThere(...vscodeFolders(at), vscodeFolders(at)[0]), "User", "mcp.json")],
    project: (folder) => [join(folder, ".vscode", "mcp.json")],
    others: (at) => vscodeFolders(at).map((folder) => join(folder, "User", "mcp.json")),
  },
  sections: () => [["servers"]],
  toEntry: ({ command, args }) => ({ type: "stdio", command, args }),
  traces: vscodeFolders,
  programs: ["code", "code-insiders"],
  next: (name) => [
    `In VS Code, run "MCP: List Servers", choose ${name}, start it, and confirm that you trust it.`,
    "The tools are then offered to the agent in the Chat view.",
  ],
};

/** Those of VS Code and of Insiders, each of which reads its own. */
function vscodeFolders(at: Surroundings): [string, ...string[]] {
  const { VSCODE_PORTABLE: portable } = at.env;
  if (portable) return [join(portable, "user-data")];
  const folder = folderNamedBy("VSCODE_APPDATA", applicationFolder(at), at);
  return [join(folder, "Code"), join(folder, "Code - Insiders")];
}

const WINDSURF: Client = {
  id: "windsurf",
  name: "Windsurf",
  format: "json",
  // Since it is called Devin Desktop it has another folder.
  files: {
    user: (at) => [join(firstThere(devinFolder(at), windsurfFolder(at)), "mcp_config.json")],
    others: (at) => [join(windsurfFolder(at), "mcp_config.json")],
  },
  sections: () => [["mcpServers"]],
  toEntry: commandAndArgs,
  traces: (at) => [devinFolder(at), windsurfFolder(at)],
  programs: ["windsurf"],
  next: (name) => [
    `Restart it, or refresh its list of MCP servers: ${name} is listed with its tools.`,
    "It may start servers outside your project: if tools of the project are missing, install with -- --cwd DIR.",
  ],
};

function devinFolder(at: Surroundings): string {
  return join(at.platform === "win32" ? roamingFolder(at) : xdgFolder(at), "devin");
}

function windsurfFolder({ home }: Surroundings): string {
  return join(home, ".codeium", "windsurf");
}

const ZED: Client = {
  id: "zed",
  name: "Zed",
  format: "json",
  files: {
    user: (at) => [join(zedFolder(at), "settings.json")],
    project: (folder) => [join(folder, ".zed", "settings.json")],
  },
  sections: () => [["context_servers"]],
  toEntry: commandAndArgs,
  traces: (at) => [zedFolder(at)],
  programs: ["zed", "zeditor"],
  next: (name, level) => [
    ...(level === "project" ? ["Open the project in Zed, and trust it when Zed asks."] : []),
    `In the Agent Panel's settings, ${name} has a green dot among the MCP servers.`,
  ],
};

/** On a Mac it is where a program for terminals would have it. */
function zedFolder(at: Surroundings): string {
  if (at.platform === "win32") return join(roamingFolder(at), "Zed");
  return at.platform === "darwin" ? join(at.home, ".config", "zed") : join(xdgFolder(at), "zed");
}

/** The programs that have a window. */
export const WINDOW_CLIENTS: readonly Client[] = [CLAUDE_DESKTOP, CURSOR, VSCODE, WINDSURF, ZED];
