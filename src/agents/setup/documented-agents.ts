import { join } from "node:path";
import { folderNamedBy, xdgFolder } from "../../catalog/discovery/agent-homes.ts";
import type { AgentSetup, UserEnvironment } from "./agent.ts";
import { applicationFolder, firstExistingPath, inHomeAndProject } from "./application-folders.ts";
import { agent } from "./launch.ts";

const QWEN = agent({
  id: "qwen",
  name: "Qwen Code",
  files: {
    user: (environment) => [join(qwenFolder(environment), "settings.json")],
    project: (folder) => [join(folder, ".qwen", "settings.json")],
  },
  allowFields: { trust: true },
  allowHint: () =>
    'Qwen Code asks before it calls a tool, and refuses without a terminal. To allow the tools, set "trust": true in the entry.',
  markers: (environment) => [qwenFolder(environment)],
  programs: ["qwen"],
  nextSteps: (name) => [
    `In a new session, /mcp lists ${name} and its tools.`,
    'Qwen Code hides MCP tools behind its tool search. To show them to the model from the start, add "tool_search" to "permissions.deny" in its settings.json.',
  ],
});

function qwenFolder(environment: UserEnvironment): string {
  return folderNamedBy("QWEN_HOME", join(environment.home, ".qwen"), environment);
}

const KIRO = agent({
  id: "kiro",
  name: "Kiro",
  files: inHomeAndProject(".kiro/settings/mcp.json"),
  allowFields: { autoApprove: ["*"] },
  allowHint: () => 'Kiro asks before it calls a tool. To allow the tools, set "autoApprove": ["*"] in the entry.',
  markers: ({ home }) => [join(home, ".kiro")],
  programs: ["kiro", "kiro-cli"],
  nextSteps: (name) => [`In Kiro's panel, MCP Servers lists ${name}; in Kiro CLI, /mcp does.`, outside("Kiro")],
});

const AMP = agent({
  id: "amp",
  name: "Amp",
  files: {
    user: ({ home }) => jsonOrJsonc(join(home, ".config", "amp", "settings")),
    project: (folder) => jsonOrJsonc(join(folder, ".amp", "settings")),
  },
  // One key with a dot in its name.
  sections: () => [["amp.mcpServers"]],
  markers: ({ home }) => [join(home, ".config", "amp")],
  programs: ["amp"],
  nextSteps: (name, level) => [
    ...(level === "project" ? [`Approve the server in the project: amp mcp approve ${name}`] : []),
    `amp mcp doctor lists ${name} as connected.`,
  ],
});

const CRUSH = agent({
  id: "crush",
  name: "Crush",
  files: {
    user: (environment) => [join(xdgFolder(environment), "crush", "crush.json")],
    project: (folder) => [
      firstExistingPath(join(folder, ".crush.json"), join(folder, "crush.json"), join(folder, ".crush.json")),
      join(folder, "crush.json"),
    ],
  },
  sections: () => [["mcp"]],
  toEntry: ({ command, args }) => ({ type: "stdio", command, args }),
  markers: (environment) => [join(xdgFolder(environment), "crush")],
  programs: ["crush"],
  nextSteps: (name) => [`In a new session, Crush shows ${name} with a green dot among its MCP servers.`],
});

const JUNIE = agent({
  id: "junie",
  name: "Junie",
  files: inHomeAndProject(".junie/mcp/mcp.json"),
  allowHint: () => "Junie asks before it calls a tool. To allow the tools, add them to its Action Allowlist.",
  markers: ({ home }) => [join(home, ".junie")],
  programs: ["junie"],
  nextSteps: (name) => [`In Junie's settings, MCP lists ${name}.`, outside("Junie")],
});

const WARP = agent({
  id: "warp",
  name: "Warp",
  files: inHomeAndProject(".warp/.mcp.json"),
  markers: ({ home }) => [join(home, ".warp")],
  programs: ["warp", "warp-terminal"],
  nextSteps: (name) => [`In Warp's settings, MCP servers lists ${name}: start it there.`, outside("Warp")],
});

const LM_STUDIO = agent({
  id: "lm-studio",
  name: "LM Studio",
  // Some versions keep the old folder.
  files: {
    user: ({ home }) => [
      join(
        firstExistingPath(join(home, ".lmstudio"), join(home, ".cache", "lm-studio"), join(home, ".lmstudio")),
        "mcp.json",
      ),
    ],
    others: ({ home }) => [join(home, ".lmstudio", "mcp.json"), join(home, ".cache", "lm-studio", "mcp.json")],
  },
  markers: ({ home }) => [join(home, ".lmstudio"), join(home, ".cache", "lm-studio")],
  programs: ["lms"],
  nextSteps: (name) => [
    `In LM Studio's Program tab, switch on mcp/${name}.`,
    "LM Studio has no project: it gets the tools of your home folder, or of one project with -- --cwd DIR.",
  ],
});

const CLINE = agent({
  id: "cline",
  name: "Cline",
  files: {
    user: (environment) => [
      environment.env.CLINE_MCP_SETTINGS_PATH ||
        firstExistingPath(...clineFiles(environment), clineFiles(environment)[1]),
    ],
    others: clineFiles,
  },
  markers: (environment) => [join(environment.home, ".cline"), extensionFolder("saoudrizwan.claude-dev", environment)],
  programs: ["cline"],
  nextSteps: (name) => [`In Cline's MCP Servers, Configure lists ${name}.`, outside("Cline")],
});

/** The files of the extension for VS Code and of the command line. */
function clineFiles(environment: UserEnvironment): [string, string] {
  return [
    join(extensionFolder("saoudrizwan.claude-dev", environment), "settings", "cline_mcp_settings.json"),
    join(environment.home, ".cline", "data", "settings", "cline_mcp_settings.json"),
  ];
}

const ROO = agent({
  id: "roo",
  name: "Roo Code",
  files: {
    user: (environment) => [join(rooFolder(environment), "settings", "mcp_settings.json")],
    project: (folder) => [join(folder, ".roo", "mcp.json")],
  },
  markers: (environment) => [rooFolder(environment), join(environment.home, ".roo")],
  programs: ["roo"],
  nextSteps: (name) => [`In Roo Code's MCP settings, ${name} is listed with its tools.`, outside("Roo Code")],
});

function rooFolder(environment: UserEnvironment): string {
  return extensionFolder("rooveterinaryinc.roo-cline", environment);
}

const KILO = agent({
  id: "kilo",
  name: "Kilo Code",
  files: {
    user: (environment) => jsonOrJsonc(join(xdgFolder(environment), "kilo", "kilo")),
    project: (folder) => [
      firstExistingPath(
        join(folder, "kilo.json"),
        join(folder, ".kilo", "kilo.jsonc"),
        join(folder, ".kilo", "kilo.json"),
        join(folder, "kilo.json"),
      ),
    ],
  },
  sections: () => [["mcp"]],
  toEntry: ({ command, args }) => ({ type: "local", command: [command, ...args] }),
  markers: (environment) => [join(xdgFolder(environment), "kilo"), join(environment.home, ".kilo")],
  programs: ["kilo", "kilocode"],
  nextSteps: (name) => [`Start Kilo Code again: kilo mcp list shows ${name} as connected.`],
});

const DROID = agent({
  id: "droid",
  name: "Droid",
  files: inHomeAndProject(".factory/mcp.json"),
  toEntry: ({ command, args }) => ({ type: "stdio", command, args }),
  markers: ({ home }) => [join(home, ".factory")],
  programs: ["droid"],
  nextSteps: (name) => [`In a new session, /mcp lists ${name} and its tools.`],
});

const AUGGIE = agent({
  id: "auggie",
  name: "Auggie",
  files: inHomeAndProject(".augment/settings.json"),
  markers: ({ home }) => [join(home, ".augment")],
  programs: ["auggie"],
  nextSteps: (name) => [`auggie mcp list shows ${name}.`],
});

const KIMI = agent({
  id: "kimi",
  name: "Kimi Code",
  files: {
    user: (environment) => [join(kimiFolder(environment), "mcp.json")],
    project: (folder) => [join(folder, ".kimi-code", "mcp.json")],
  },
  markers: (environment) => [kimiFolder(environment)],
  programs: ["kimi"],
  nextSteps: (name, level) => [
    ...(level === "project" ? ["Start kimi in the project, and trust the project when it asks."] : []),
    `In a new session, /mcp lists ${name} and its tools.`,
  ],
});

function kimiFolder(environment: UserEnvironment): string {
  return folderNamedBy("KIMI_CODE_HOME", join(environment.home, ".kimi-code"), environment);
}

const GROK = agent({
  id: "grok",
  name: "Grok",
  format: "toml",
  files: inHomeAndProject(".grok/config.toml"),
  sections: () => [["mcp_servers"]],
  markers: ({ home }) => [join(home, ".grok")],
  programs: ["grok"],
  nextSteps: (name) => [`In a new session, /mcp lists ${name} and its tools.`],
});

const ANTIGRAVITY = agent({
  id: "antigravity",
  name: "Antigravity",
  files: {
    user: ({ home }) => [join(home, ".gemini", "config", "mcp_config.json")],
    project: (folder) => [join(folder, ".agents", "mcp_config.json")],
    others: ({ home }) => [join(home, ".gemini", "antigravity", "mcp_config.json")],
  },
  markers: ({ home }) => [join(home, ".gemini", "config"), join(home, ".gemini", "antigravity")],
  programs: ["antigravity", "agy"],
  nextSteps: (name) => [`In the Agent panel, Manage MCP Servers lists ${name}: refresh it.`, outside("Antigravity")],
});

/** Agents that no test runs: their files are known from public documentation and configurations. Qwen Code and Kimi Code were run by hand. */
export const DOCUMENTED_AGENTS: readonly AgentSetup[] = [
  ...[QWEN, AMP, CRUSH, DROID, AUGGIE, KIMI, KILO, GROK],
  ...[KIRO, JUNIE, WARP, CLINE, ROO, ANTIGRAVITY, LM_STUDIO],
];

/** The file that exists, `.json` by default. */
function jsonOrJsonc(path: string): [string, string, string] {
  const both = [`${path}.json`, `${path}.jsonc`] as const;
  return [firstExistingPath(...both, both[0]), ...both];
}

/** Where VS Code keeps the files of an extension. */
function extensionFolder(extension: string, environment: UserEnvironment): string {
  return join(applicationFolder(environment), "Code", "User", "globalStorage", extension);
}

function outside(name: string): string {
  return `${name} may start servers outside your project. If tools of the project are missing, install with -- --cwd DIR.`;
}
