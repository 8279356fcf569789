import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { beforeAll, describe, expect, it } from "vitest";
import type { AgentSetup, Level, UserEnvironment } from "../src/agents/setup/agent.ts";
import { targetAt } from "../src/agents/setup/agent-files.ts";
import { AGENTS, findAgent } from "../src/agents/setup/agents.ts";
import { applyPlan } from "../src/agents/setup/apply-plan.ts";
import { findInstallations } from "../src/agents/setup/find-installations.ts";
import { backupOf, type Plan, planInstall, planUninstall } from "../src/agents/setup/plan.ts";
import { type ConfigTarget, serversIn } from "../src/agents/setup/target.ts";
import { mcpConfigs } from "../src/catalog/discovery/mcp-configs.ts";
import { projectPlace } from "../src/catalog/discovery/repository.ts";
import type { Command } from "../src/surfaces/cli/args/command.ts";
import { parseArguments } from "../src/surfaces/cli/args/parse-arguments.ts";
import { UsageError } from "../src/surfaces/cli/args/usage-error.ts";
import { doctor } from "../src/surfaces/cli/commands/doctor.ts";
import { install } from "../src/surfaces/cli/commands/install.ts";
import { uninstall } from "../src/surfaces/cli/commands/uninstall.ts";
import { ownLaunch } from "../src/surfaces/cli/own-launch.ts";
import { CLI, cli, ensureBuilt, json } from "./support/cli.ts";
import { type Sandbox, sandbox } from "./support/fixture.ts";
import { put } from "./support/temporary.ts";

const LAUNCH = { command: "/usr/bin/node", args: ["/opt/toolwright/dist/cli.mjs", "mcp"] };

/** The files of one agent: their paths, and their texts before and after. */
interface Row {
  readonly id: string;
  readonly user: string;
  readonly project?: string;
  /** The whole file if there was none. */
  readonly fresh: string;
  /** A typical file, and the same file with the entry. */
  readonly before: string;
  readonly after: string;
  readonly broken: string;
  readonly problem: string;
}

const JSON_BROKEN = { broken: '{\n  "mcpServers": {\n', problem: ":3 is not valid JSON (close brace expected)." };

const GLOBAL_STORAGE = ".config/Code/User/globalStorage";
const ENTRY = { command: LAUNCH.command, args: LAUNCH.args };

/** The extension file with these servers. */
function extension(config: string): string {
  return `// Gives this agent the tools of Toolwright. "toolwright install" wrote this file, "toolwright uninstall" removes it.
// toolwright-agent-extension: Toolwright itself does not load a file with this word.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const config = ${config};

export default async function (pi) {
  for (const [name, server] of Object.entries(config.mcpServers)) {
    if (server.enabled === false) continue;
    const code = join(dirname(server.args[0]), "pi-extension.mjs");
    try {
      if (!existsSync(code)) throw new Error(\`\${code} does not exist.\`);
      const { serveInPi } = await import(pathToFileURL(code).href);
      serveInPi(pi, name, server);
    } catch (error) {
      const text = \`The tools of Toolwright are missing. \${error.message} Try: toolwright doctor\`;
      pi.on("session_start", (_event, { hasUI, ui }) => (hasUI ? ui.notify(text, "warning") : console.error(text)));
    }
  }
}
`;
}

const EXTENSION = "extensions/toolwright-extension.js";

const EXTENSION_ROW = {
  fresh: extension(`{
  "mcpServers": {
    "toolwright": {
      "command": "/usr/bin/node",
      "args": [
        "/opt/toolwright/dist/cli.mjs",
        "mcp"
      ]
    }
  }
}`),
  before: extension(`{
  "mcpServers": {
    "mine": { "command": "/usr/bin/node", "args": ["/opt/mine.mjs"], "enabled": false }, // off
  }
}`),
  after: extension(`{
  "mcpServers": {
    "mine": { "command": "/usr/bin/node", "args": ["/opt/mine.mjs"], "enabled": false }, // off
    "toolwright": {
      "command": "/usr/bin/node",
      "args": [
        "/opt/toolwright/dist/cli.mjs",
        "mcp"
      ]
    },
  }
}`),
  broken: "export default () => {};\n",
  problem:
    ' was not written by "toolwright install", or its line "const config = {" is missing. If you do not need the file, delete it.',
};

/** An agent whose file holds only servers as JSON. */
function jsonRow(
  id: string,
  user: string,
  project: string | undefined,
  section: readonly string[],
  entry: object,
): Row {
  const file = (servers: object): string => {
    const config = section.reduceRight<object>((inner, key) => ({ [key]: inner }), servers);
    return `${JSON.stringify(config, null, 2)}\n`;
  };
  const other = { url: "https://example.com" };
  return {
    id,
    user,
    ...(project === undefined ? {} : { project }),
    fresh: file({ toolwright: entry }),
    before: file({ other }),
    after: file({ other, toolwright: entry }),
    ...JSON_BROKEN,
  };
}

const ROWS: readonly Row[] = [
  {
    id: "claude-code",
    user: ".claude.json",
    project: ".mcp.json",
    fresh: `{
  "mcpServers": {
    "toolwright": {
      "type": "stdio",
      "command": "/usr/bin/node",
      "args": [
        "/opt/toolwright/dist/cli.mjs",
        "mcp"
      ],
      "alwaysLoad": true
    }
  }
}
`,
    before: `{
  "numStartups": 7,
  "projects": { "/p": { "mcpServers": {} } }
}`,
    after: `{
  "numStartups": 7,
  "projects": { "/p": { "mcpServers": {} } },
  "mcpServers": {
    "toolwright": {
      "type": "stdio",
      "command": "/usr/bin/node",
      "args": [
        "/opt/toolwright/dist/cli.mjs",
        "mcp"
      ],
      "alwaysLoad": true
    }
  }
}`,
    ...JSON_BROKEN,
  },
  {
    id: "copilot",
    user: ".copilot/mcp-config.json",
    project: ".github/mcp.json",
    fresh: `{
  "mcpServers": {
    "toolwright": {
      "type": "local",
      "command": "/usr/bin/node",
      "args": [
        "/opt/toolwright/dist/cli.mjs",
        "mcp"
      ],
      "tools": [
        "*"
      ],
      "deferTools": "never"
    }
  }
}
`,
    before: `{
  "mcpServers": {
    "other": { "type": "http", "url": "https://example.com/mcp", "tools": ["*"] }
  }
}
`,
    after: `{
  "mcpServers": {
    "other": { "type": "http", "url": "https://example.com/mcp", "tools": ["*"] },
    "toolwright": {
      "type": "local",
      "command": "/usr/bin/node",
      "args": [
        "/opt/toolwright/dist/cli.mjs",
        "mcp"
      ],
      "tools": [
        "*"
      ],
      "deferTools": "never"
    }
  }
}
`,
    ...JSON_BROKEN,
  },
  {
    id: "opencode",
    user: ".config/opencode/opencode.json",
    project: "opencode.json",
    fresh: `{
  "mcp": {
    "toolwright": {
      "type": "local",
      "command": [
        "/usr/bin/node",
        "/opt/toolwright/dist/cli.mjs",
        "mcp"
      ]
    }
  }
}
`,
    before: `{
  "$schema": "https://opencode.ai/config.json",
  // mine
  "mcp": {
    "other": { "type": "local", "command": ["x"], "enabled": false }, // off
  },
}
`,
    after: `{
  "$schema": "https://opencode.ai/config.json",
  // mine
  "mcp": {
    "other": { "type": "local", "command": ["x"], "enabled": false }, // off
    "toolwright": {
      "type": "local",
      "command": [
        "/usr/bin/node",
        "/opt/toolwright/dist/cli.mjs",
        "mcp"
      ]
    },
  },
}
`,
    ...JSON_BROKEN,
  },
  {
    id: "codex",
    user: ".codex/config.toml",
    project: ".codex/config.toml",
    fresh: `[mcp_servers.toolwright]
command = "/usr/bin/node"
args = ["/opt/toolwright/dist/cli.mjs", "mcp"]
omit_tools_from = ["deferred", "code_mode"]
`,
    before: `# mine
model = "gpt"   # the usual

[mcp_servers.other]
command = "x"
[mcp_servers.other.env]
A = "1"
`,
    after: `# mine
model = "gpt"   # the usual

[mcp_servers.other]
command = "x"
[mcp_servers.other.env]
A = "1"

[mcp_servers.toolwright]
command = "/usr/bin/node"
args = ["/opt/toolwright/dist/cli.mjs", "mcp"]
omit_tools_from = ["deferred", "code_mode"]
`,
    broken: 'a = 1\nb = "\n',
    problem: ":2 is not valid TOML (control characters are not allowed in strings).",
  },
  {
    id: "gemini",
    user: ".gemini/settings.json",
    project: ".gemini/settings.json",
    fresh: `{
  "mcpServers": {
    "toolwright": {
      "command": "/usr/bin/node",
      "args": [
        "/opt/toolwright/dist/cli.mjs",
        "mcp"
      ]
    }
  }
}
`,
    before: `{
    "ui": { "theme": "GitHub" }, // light
    "mcpServers": {}
}
`,
    after: `{
    "ui": { "theme": "GitHub" }, // light
    "mcpServers": {
        "toolwright": {
            "command": "/usr/bin/node",
            "args": [
                "/opt/toolwright/dist/cli.mjs",
                "mcp"
            ]
        }
    }
}
`,
    ...JSON_BROKEN,
  },
  { id: "pi", user: `.pi/agent/${EXTENSION}`, project: `.pi/${EXTENSION}`, ...EXTENSION_ROW },
  { id: "oh-my-pi", user: `.omp/agent/${EXTENSION}`, project: `.omp/${EXTENSION}`, ...EXTENSION_ROW },
  {
    id: "claude-desktop",
    user: ".config/Claude/claude_desktop_config.json",
    fresh: `{
  "mcpServers": {
    "toolwright": {
      "command": "/usr/bin/node",
      "args": [
        "/opt/toolwright/dist/cli.mjs",
        "mcp"
      ]
    }
  }
}
`,
    before: '{"globalShortcut":"","mcpServers":{"other":{"command":"x"}}}',
    after:
      '{"globalShortcut":"","mcpServers":{"other":{"command":"x"}, "toolwright": { "command": "/usr/bin/node", "args": [ "/opt/toolwright/dist/cli.mjs", "mcp" ] }}}',
    ...JSON_BROKEN,
  },
  {
    id: "cursor",
    user: ".cursor/mcp.json",
    project: ".cursor/mcp.json",
    fresh: `{
  "mcpServers": {
    "toolwright": {
      "type": "stdio",
      "command": "/usr/bin/node",
      "args": [
        "/opt/toolwright/dist/cli.mjs",
        "mcp"
      ]
    }
  }
}
`,
    before: `{
\t"mcpServers": {
\t\t// the other one
\t\t"other": {
\t\t\t"url": "https://example.com"
\t\t}
\t}
}
`,
    after: `{
\t"mcpServers": {
\t\t// the other one
\t\t"other": {
\t\t\t"url": "https://example.com"
\t\t},
\t\t"toolwright": {
\t\t\t"type": "stdio",
\t\t\t"command": "/usr/bin/node",
\t\t\t"args": [
\t\t\t\t"/opt/toolwright/dist/cli.mjs",
\t\t\t\t"mcp"
\t\t\t]
\t\t}
\t}
}
`,
    ...JSON_BROKEN,
  },
  {
    id: "vscode",
    user: ".config/Code/User/mcp.json",
    project: ".vscode/mcp.json",
    fresh: `{
  "servers": {
    "toolwright": {
      "type": "stdio",
      "command": "/usr/bin/node",
      "args": [
        "/opt/toolwright/dist/cli.mjs",
        "mcp"
      ]
    }
  }
}
`,
    before: `// VS Code
{
  "inputs": [{ "id": "key", "type": "promptString" }],
  "servers": {
    "other": { "type": "http", "url": "https://example.com" } /* last */
  }
}
`,
    after: `// VS Code
{
  "inputs": [{ "id": "key", "type": "promptString" }],
  "servers": {
    "other": { "type": "http", "url": "https://example.com" }, /* last */
    "toolwright": {
      "type": "stdio",
      "command": "/usr/bin/node",
      "args": [
        "/opt/toolwright/dist/cli.mjs",
        "mcp"
      ]
    }
  }
}
`,
    ...JSON_BROKEN,
  },
  {
    id: "windsurf",
    user: ".codeium/windsurf/mcp_config.json",
    fresh: `{
  "mcpServers": {
    "toolwright": {
      "command": "/usr/bin/node",
      "args": [
        "/opt/toolwright/dist/cli.mjs",
        "mcp"
      ]
    }
  }
}
`,
    before: `{
  "mcpServers": {
    "other": { "serverUrl": "https://example.com" }
  }
}`,
    after: `{
  "mcpServers": {
    "other": { "serverUrl": "https://example.com" },
    "toolwright": {
      "command": "/usr/bin/node",
      "args": [
        "/opt/toolwright/dist/cli.mjs",
        "mcp"
      ]
    }
  }
}`,
    ...JSON_BROKEN,
  },
  {
    id: "zed",
    user: ".config/zed/settings.json",
    project: ".zed/settings.json",
    fresh: `{
  "context_servers": {
    "toolwright": {
      "command": "/usr/bin/node",
      "args": [
        "/opt/toolwright/dist/cli.mjs",
        "mcp"
      ]
    }
  }
}
`,
    before: `// Zed settings
//
// For information, see the documentation.
{
  "theme": "One Dark", // dark
  "languages": {
    "Go": { "tab_size": 4 },
  },
}
`,
    after: `// Zed settings
//
// For information, see the documentation.
{
  "theme": "One Dark", // dark
  "languages": {
    "Go": { "tab_size": 4 },
  },
  "context_servers": {
    "toolwright": {
      "command": "/usr/bin/node",
      "args": [
        "/opt/toolwright/dist/cli.mjs",
        "mcp"
      ]
    }
  },
}
`,
    ...JSON_BROKEN,
  },
  jsonRow("qwen", ".qwen/settings.json", ".qwen/settings.json", ["mcpServers"], ENTRY),
  jsonRow("amp", ".config/amp/settings.json", ".amp/settings.json", ["amp.mcpServers"], ENTRY),
  jsonRow("crush", ".config/crush/crush.json", ".crush.json", ["mcp"], { type: "stdio", ...ENTRY }),
  jsonRow("droid", ".factory/mcp.json", ".factory/mcp.json", ["mcpServers"], { type: "stdio", ...ENTRY }),
  jsonRow("auggie", ".augment/settings.json", ".augment/settings.json", ["mcpServers"], ENTRY),
  jsonRow("kimi", ".kimi-code/mcp.json", ".kimi-code/mcp.json", ["mcpServers"], ENTRY),
  jsonRow("kilo", ".config/kilo/kilo.json", "kilo.json", ["mcp"], {
    type: "local",
    command: [LAUNCH.command, ...LAUNCH.args],
  }),
  {
    id: "grok",
    user: ".grok/config.toml",
    project: ".grok/config.toml",
    fresh: `[mcp_servers.toolwright]
command = "/usr/bin/node"
args = ["/opt/toolwright/dist/cli.mjs", "mcp"]
`,
    before: `[cli]
installer = "npm"
`,
    after: `[cli]
installer = "npm"

[mcp_servers.toolwright]
command = "/usr/bin/node"
args = ["/opt/toolwright/dist/cli.mjs", "mcp"]
`,
    broken: 'a = 1\nb = "\n',
    problem: ":2 is not valid TOML (control characters are not allowed in strings).",
  },
  jsonRow("kiro", ".kiro/settings/mcp.json", ".kiro/settings/mcp.json", ["mcpServers"], ENTRY),
  jsonRow("junie", ".junie/mcp/mcp.json", ".junie/mcp/mcp.json", ["mcpServers"], ENTRY),
  jsonRow("warp", ".warp/.mcp.json", ".warp/.mcp.json", ["mcpServers"], ENTRY),
  jsonRow("cline", ".cline/data/settings/cline_mcp_settings.json", undefined, ["mcpServers"], ENTRY),
  jsonRow(
    "roo",
    `${GLOBAL_STORAGE}/rooveterinaryinc.roo-cline/settings/mcp_settings.json`,
    ".roo/mcp.json",
    ["mcpServers"],
    ENTRY,
  ),
  jsonRow("antigravity", ".gemini/config/mcp_config.json", ".agents/mcp_config.json", ["mcpServers"], ENTRY),
  jsonRow("lm-studio", ".lmstudio/mcp.json", undefined, ["mcpServers"], ENTRY),
];

describe.each(ROWS)("[M3] $id", (row) => {
  it("is in the table of agents, with these files", () => {
    const at = machine();
    expect(target(row.id, at).file).toBe(join(at.home, row.user));
    expect(findAgent(row.id)?.files.project?.(at.project)[0]).toBe(row.project && join(at.project, row.project));
  });

  const crlf = (text: string): string => text.replaceAll("\n", "\r\n");
  it.each<[string, string | undefined, string]>([
    ["no file", undefined, row.fresh],
    ["an empty file", "", row.fresh],
    ["a file with other entries", row.before, row.after],
    ["Windows lines", crlf(row.before), crlf(row.after)],
    ["a byte order mark", `\uFEFF${row.before}`, `\uFEFF${row.after}`],
  ])("%s: install, install again, and uninstall restore the file", (_, before, after) => {
    const at = target(row.id, machine());
    if (before !== undefined) put(at.file, before);
    const backup = backupOf(at);

    expect(carriedOut(at, planInstall(at, LAUNCH, { force: false }))).toEqual(before === undefined ? {} : { backup });
    expect(readFileSync(at.file, "utf8")).toBe(after);
    if (before !== undefined) expect(readFileSync(backup, "utf8")).toBe(before);

    expect(planInstall(at, LAUNCH, { force: false })).toEqual({ kind: "done" });

    carriedOut(at, planUninstall(at, LAUNCH, { force: false }));
    expect(existsSync(at.file) ? readFileSync(at.file, "utf8") : undefined).toBe(before);
    const left = before === undefined ? at.environment.home : dirname(at.file);
    expect(readdirSync(left).filter((name) => name !== ".toolwright")).toEqual(
      before === undefined ? [] : [row.user.split("/").at(-1)],
    );
    expect(planUninstall(at, LAUNCH, { force: false })).toEqual({ kind: "done" });
  });

  it("after another change to the file, uninstall removes only the entry", () => {
    const at = target(row.id, machine());
    put(at.file, row.after);
    expect(carriedOut(at, planUninstall(at, LAUNCH, { force: false }))).toEqual({
      backup: backupOf(at),
    });
    const left = readFileSync(at.file, "utf8");
    expect(left).not.toContain("/opt/toolwright");
    for (const line of row.before.split("\n").filter((each) => /\w/.test(each))) expect(left).toContain(line.trim());
  });

  it("a broken file is not touched", () => {
    const at = target(row.id, machine());
    put(at.file, row.broken);
    const refused = {
      kind: "refused",
      problem: `${at.file}${row.problem} Nothing was changed. Correct it, then run this again.`,
    };
    expect(planInstall(at, LAUNCH, { force: true })).toEqual(refused);
    expect(planUninstall(at, LAUNCH, { force: true })).toEqual(refused);
  });

  it("another server of the same name is not replaced without --force", () => {
    const at = target(row.id, machine());
    const theirs = row.after.replaceAll("/opt/toolwright/dist/cli.mjs", "/opt/else.mjs");
    put(at.file, theirs);
    const refused = {
      kind: "refused",
      problem: `${at.file} has another server named "toolwright", which runs /usr/bin/node /opt/else.mjs mcp. Nothing was changed. Choose another name with --name, or use --force.`,
    };
    expect(planInstall(at, LAUNCH, { force: false })).toEqual(refused);
    expect(planUninstall(at, LAUNCH, { force: false })).toEqual(refused);
    carriedOut(at, planInstall(at, LAUNCH, { force: true }));
    expect(planInstall(at, LAUNCH, { force: false })).toEqual({ kind: "done" });
    carriedOut(at, planUninstall(at, LAUNCH, { force: false }));
    expect(readFileSync(at.file, "utf8")).toBe(theirs);
  });

  it("an older entry of Toolwright is updated, and uninstall removes it completely", () => {
    const at = target(row.id, machine());
    put(at.file, row.before);
    carriedOut(
      at,
      planInstall(at, { command: "/old/node", args: ["/old/toolwright/dist/cli.mjs", "mcp"] }, { force: false }),
    );
    const plan = planInstall(at, LAUNCH, { force: false });
    expect(plan).toMatchObject({
      does: "update",
      was: ["/old/node", "/old/toolwright/dist/cli.mjs", "mcp"],
      backup: "leave",
    });
    carriedOut(at, plan);
    expect(readFileSync(at.file, "utf8")).toBe(row.after);
    carriedOut(at, planUninstall(at, LAUNCH, { force: false }));
    expect(readFileSync(at.file, "utf8")).toBe(row.before);
  });
});

describe("[M6] fields that decide whether tools get called", () => {
  const FIELDS = [
    ["claude-code", { alwaysLoad: true }, undefined],
    ["copilot", { deferTools: "never" }, undefined],
    ["codex", { omit_tools_from: ["deferred", "code_mode"] }, { default_tools_approval_mode: "approve" }],
    ["gemini", undefined, { trust: true }],
  ] as const;
  const COMMAND = { command: LAUNCH.command, args: LAUNCH.args };

  function entryIn({ agent, file, environment }: ConfigTarget): Record<string, unknown> {
    const [[, entry] = []] = serversIn({ agent, file, environment });
    return entry as Record<string, unknown>;
  }

  it.each(FIELDS)("%s: install adds %j, --defer leaves it out, --allow adds %j", (id, load, allow) => {
    const at = target(id, machine());
    const force = false;
    carriedOut(at, planInstall(at, LAUNCH, { force, defer: true }));
    const deferred = entryIn(at);
    expect(deferred).toMatchObject(COMMAND);
    for (const key of Object.keys({ ...load, ...allow })) expect(deferred).not.toHaveProperty(key);

    // An older entry gets the field.
    const loaded = planInstall(at, LAUNCH, { force });
    if (load) {
      expect(loaded).toMatchObject({ kind: "change", does: "update", backup: "leave" });
      carriedOut(at, loaded);
    } else expect(loaded).toEqual({ kind: "done" });
    expect(entryIn(at)).toEqual({ ...deferred, ...load });

    const allowed = planInstall(at, LAUNCH, { force, allow: true });
    if (allow) carriedOut(at, allowed);
    else expect(allowed).toEqual({ kind: "done" });
    expect(entryIn(at)).toEqual({ ...deferred, ...load, ...allow });
    // Approval that the user has given stays.
    expect(planInstall(at, LAUNCH, { force })).toEqual({ kind: "done" });

    if (load) carriedOut(at, planInstall(at, LAUNCH, { force, defer: true }));
    expect(entryIn(at)).toEqual({ ...deferred, ...allow });
    expect(planInstall(at, LAUNCH, { force, defer: true })).toEqual({ kind: "done" });

    carriedOut(at, planUninstall(at, LAUNCH, { force }));
    expect(existsSync(at.file)).toBe(false);
  });

  it("a value that the user has set stays, and is shown; --allow replaces it", async () => {
    const at = sandbox();
    const { command, args } = ownLaunch();
    const mine = {
      type: "stdio",
      command: "/old/node",
      args: ["/old/toolwright/dist/cli.mjs", "mcp"],
      alwaysLoad: false,
    };
    const claude = put(join(at.home, ".claude.json"), JSON.stringify({ mcpServers: { toolwright: mine } }));
    const { stdout } = await run(install, at, ["claude-code", "--yes"]);
    expect(stdout).toContain("  Until now: /old/node /old/toolwright/dist/cli.mjs mcp\n");
    expect(stdout).toMatch(/ {2}Changes it to:\n(?: {4}.*\n)* {10}"alwaysLoad": false\n/);
    expect(JSON.parse(readFileSync(claude, "utf8")).mcpServers.toolwright).toEqual({ ...mine, command, args });

    const codex = put(
      join(at.home, ".codex/config.toml"),
      `[mcp_servers.toolwright]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\ndefault_tools_approval_mode = "prompt" # mine\n`,
    );
    await run(install, at, ["codex", "--yes"]);
    expect(readFileSync(codex, "utf8")).toContain('default_tools_approval_mode = "prompt" # mine\nomit_tools_from = ');
    const allowed = await run(install, at, ["codex", "--allow", "--dry-run"]);
    expect(allowed.stdout).toContain('    default_tools_approval_mode = "approve"\n');
    await run(install, at, ["codex", "--allow", "--yes"]);
    expect(readFileSync(codex, "utf8")).toContain('default_tools_approval_mode = "approve"\n');
  });

  it("--defer also starts the server so that it pins no tools", async () => {
    const at = sandbox();
    const words = async (...args: string[]): Promise<string[]> => {
      await run(install, at, ["claude-code", "--yes", ...args]);
      return JSON.parse(readFileSync(join(at.home, ".claude.json"), "utf8")).mcpServers.toolwright.args.slice(1);
    };
    expect(await words("--defer", "--", "--builtins")).toEqual(["mcp", "--builtins", "--defer"]);
    expect(await words("--", "--defer")).toEqual(["mcp", "--defer"]);
    expect(readFileSync(join(at.home, ".claude.json"), "utf8")).not.toContain("alwaysLoad");
    expect(await words()).toEqual(["mcp"]);
  });

  const HINTS = {
    "claude-code":
      'Claude Code asks before it calls a tool, and refuses without a terminal. To allow the tools, start it with --allowedTools mcp__toolwright, or add "mcp__toolwright" to "permissions.allow" in ~/.claude/settings.json.',
    copilot:
      "Copilot CLI asks before it calls a tool, and refuses without a terminal. To allow the tools, start it with --allow-tool toolwright.",
    codex:
      'Codex asks before it calls a tool, and "codex exec" refuses. To allow the tools, set default_tools_approval_mode = "approve" in [mcp_servers.toolwright]. Or run: toolwright install codex --allow',
    gemini:
      'Gemini CLI asks before it calls a tool, and leaves the tools out without a terminal. To allow the tools, set "trust": true in the entry. Scripts need --skip-trust too, unless the folder is trusted. Or run: toolwright install gemini --allow',
  } as const;

  it.each(Object.entries(HINTS))("install ends with what %s needs to call the tools", async (id, hint) => {
    const at = sandbox();
    const { stdout } = await run(install, at, [id, "--yes"]);
    expect(stdout.trimEnd().split("\n").at(-1)).toBe(`        ${hint}`);
    const again = await run(install, at, [id, "--yes"]);
    expect(again.stdout).toContain(`  Already installed. ${hint}\n`);
    const { name, allowFields } = findAgent(id) as AgentSetup;
    const allowed = await run(install, at, [id, "--yes", "--allow"]);
    const ends = allowFields
      ? `${name} calls these tools without asking.`
      : `--allow has no effect for ${name}. ${hint}`;
    expect(allowed.stdout.trimEnd().endsWith(ends)).toBe(true);
  });

  it("the hints are wrapped on words at the width of the terminal", async () => {
    const { stdout } = await run(install, sandbox(), ["copilot", "--yes"], undefined, {}, 60);
    expect(stdout).toContain(`  Next: In a new session, /mcp show lists toolwright.
        Copilot CLI asks before it calls a tool, and refuses
`);
  });

  it("install --allow says so where the entry has no field for it", async () => {
    const { stdout } = await run(install, sandbox(), ["cursor", "--yes", "--allow"]);
    expect(stdout.trimEnd().endsWith("--allow has no effect for Cursor: its entry has no field for that.")).toBe(true);
  });
});

describe("[M3] files of agents", () => {
  it.each<[string, NodeJS.Platform, Record<string, string>, string]>([
    ["claude-code", "linux", { CLAUDE_CONFIG_DIR: "/c" }, "/c/.claude.json"],
    ["claude-code", "linux", { CLAUDE_CONFIG_DIR: "" }, "~/.claude.json"],
    ["claude-code", "linux", { CLAUDE_CONFIG_DIR: "moved" }, "./moved/.claude.json"],
    ["claude-code", "win32", {}, "~/.claude.json"],
    ["copilot", "linux", { COPILOT_HOME: "/cop" }, "/cop/mcp-config.json"],
    ["copilot", "linux", { XDG_CONFIG_HOME: "/xdg" }, "~/.copilot/mcp-config.json"],
    ["codex", "linux", { CODEX_HOME: "/x" }, "/x/config.toml"],
    ["codex", "win32", { APPDATA: "/roaming" }, "~/.codex/config.toml"],
    ["gemini", "linux", { GEMINI_CLI_HOME: "/g" }, "/g/.gemini/settings.json"],
    ["opencode", "linux", { XDG_CONFIG_HOME: "/xdg" }, "/xdg/opencode/opencode.json"],
    ["opencode", "linux", { XDG_CONFIG_HOME: "/xdg", OPENCODE_CONFIG_DIR: "/oc" }, "/oc/opencode.json"],
    ["opencode", "linux", { OPENCODE_CONFIG: "/own.json" }, "~/.config/opencode/opencode.json"],
    ["opencode", "win32", { APPDATA: "/roaming" }, "~/.config/opencode/opencode.json"],
    ["opencode", "darwin", {}, "~/.config/opencode/opencode.json"],
    ["opencode", "linux", { XDG_CONFIG_HOME: "relative" }, "~/.config/opencode/opencode.json"],
    ["claude-desktop", "darwin", {}, "~/Library/Application Support/Claude/claude_desktop_config.json"],
    ["claude-desktop", "win32", { APPDATA: "/roaming" }, "/roaming/Claude/claude_desktop_config.json"],
    ["vscode", "darwin", {}, "~/Library/Application Support/Code/User/mcp.json"],
    ["vscode", "win32", {}, "~/AppData/Roaming/Code/User/mcp.json"],
    ["vscode", "linux", { VSCODE_PORTABLE: "/v" }, "/v/user-data/User/mcp.json"],
    ["zed", "darwin", { XDG_CONFIG_HOME: "/xdg" }, "~/.config/zed/settings.json"],
    ["zed", "win32", { APPDATA: "/roaming" }, "/roaming/Zed/settings.json"],
    ["pi", "linux", { PI_CODING_AGENT_DIR: "/p" }, "/p/extensions/toolwright-extension.js"],
    ["oh-my-pi", "darwin", {}, "~/.omp/agent/extensions/toolwright-extension.js"],
    ["qwen", "linux", { QWEN_HOME: "/q" }, "/q/settings.json"],
    ["kimi", "linux", { KIMI_CODE_HOME: "/k" }, "/k/mcp.json"],
    ["amp", "win32", { APPDATA: "/roaming" }, "~/.config/amp/settings.json"],
    ["crush", "linux", { XDG_CONFIG_HOME: "/xdg" }, "/xdg/crush/crush.json"],
    ["cline", "linux", { CLINE_MCP_SETTINGS_PATH: "/c/mcp.json" }, "/c/mcp.json"],
    [
      "roo",
      "darwin",
      {},
      "~/Library/Application Support/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
    ],
    ["windsurf", "win32", {}, "~/.codeium/windsurf/mcp_config.json"],
  ])("%s on %s with %j", (id, platform, env, file) => {
    const at = { ...machine(), platform, env };
    expect(target(id, at).file).toBe(file.replace("~", at.home).replace(/^\./, at.cwd));
  });

  it("are the files that the program reads, if it can read several", () => {
    const at = machine();
    const name = (id: string, level: Level = "user"): string => target(id, at, level).file.slice(at.home.length + 1);
    put(join(at.home, ".config/opencode/opencode.json"), "{}");
    expect(name("opencode")).toBe(".config/opencode/opencode.json");
    // If both exist, this one overrides the other.
    put(join(at.home, ".config/opencode/opencode.jsonc"), "{}");
    expect(name("opencode")).toBe(".config/opencode/opencode.jsonc");
    put(join(at.home, ".claude/.config.json"), "{}");
    expect(name("claude-code")).toBe(".claude/.config.json");
    mkdirSync(join(at.home, ".config/Code - Insiders"), { recursive: true });
    expect(name("vscode")).toBe(".config/Code - Insiders/User/mcp.json");
    put(join(at.home, GLOBAL_STORAGE, "saoudrizwan.claude-dev/settings/cline_mcp_settings.json"), "{}");
    expect(name("cline")).toBe(`${GLOBAL_STORAGE}/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`);
    put(join(at.home, ".config/amp/settings.jsonc"), "{}");
    expect(name("amp")).toBe(".config/amp/settings.jsonc");
    mkdirSync(join(at.home, ".cache/lm-studio"), { recursive: true });
    expect(name("lm-studio")).toBe(".cache/lm-studio/mcp.json");
    mkdirSync(join(at.home, ".config/devin"));
    expect(name("windsurf")).toBe(".config/devin/mcp_config.json");
    put(join(at.project, ".opencode/opencode.jsonc"), "{}");
    expect(target("opencode", at, "project").file).toBe(join(at.project, ".opencode/opencode.jsonc"));

    const windows = { ...at, platform: "win32", env: { LOCALAPPDATA: join(at.home, "Local") } } as const;
    mkdirSync(join(at.home, "Local/Packages/Claude_pzs8"), { recursive: true });
    expect(target("claude-desktop", windows).file).toBe(
      join(at.home, "Local/Packages/Claude_pzs8/LocalCache/Roaming/Claude/claude_desktop_config.json"),
    );
  });

  it.each([
    [{}],
    [{ CLAUDE_CONFIG_DIR: "/c", COPILOT_HOME: "cop", XDG_CONFIG_HOME: "/xdg" }],
    [{ OPENCODE_CONFIG_DIR: "oc", OPENCODE_CONFIG: "/own.json" }],
  ])("are the files in which discovery looks for servers, with %j", (env) => {
    const at = { ...machine(), env };
    const read = mcpConfigs({ ...projectPlace(at.project, at.home), home: at.home, env }).map(({ file }) => file);
    for (const id of ["claude-code", "copilot", "opencode"]) {
      expect(read).toContain(target(id, at).file);
      expect(read).toContain(target(id, at, "project").file);
    }
  });

  it("the file that already has a server of this name is changed, if a program reads several", () => {
    const at = { ...machine(), env: { OPENCODE_CONFIG: "own.json" } };
    put(join(at.home, ".config/opencode/opencode.json"), "{}");
    const own = put(join(at.project, "own.json"), '{ "mcp": { "toolwright": { "command": ["toolwright", "mcp"] } } }');
    expect(target("opencode", at).file).toBe(own);
    expect(planInstall(target("opencode", at), LAUNCH, { force: false })).toMatchObject({ does: "update" });
  });

  it("OpenCode 2 has its servers one level deeper", () => {
    const at = target("opencode", machine());
    put(at.file, '{ "mcp": { "servers": { "other": { "type": "local", "command": ["x"] } } } }\n');
    carriedOut(at, planInstall(at, LAUNCH, { force: false }));
    expect(readFileSync(at.file, "utf8")).toBe(
      '{ "mcp": { "servers": { "other": { "type": "local", "command": ["x"] }, "toolwright": { "type": "local", "command": [ "/usr/bin/node", "/opt/toolwright/dist/cli.mjs", "mcp" ] } } } }\n',
    );
  });

  it("the entry for Cursor contains the folder of the project", () => {
    const at = target("cursor", machine(), "project");
    carriedOut(at, planInstall(at, { ...LAUNCH, args: [...LAUNCH.args, "--builtins"] }, { force: false }));
    expect(JSON.parse(readFileSync(at.file, "utf8")).mcpServers.toolwright.args).toEqual([
      ...LAUNCH.args,
      "--cwd",
      "$" + "{workspaceFolder}",
      "--builtins",
    ]);
  });

  it("[X2] keep their mode; a new one is private to the user, and in a project it has the default mode", () => {
    const at = machine();
    const [own, shared] = [target("cursor", at), target("cursor", at, "project")];
    for (const each of [own, shared]) carriedOut(each, planInstall(each, LAUNCH, { force: false }));
    expect(mode(own.file)).toBe(0o600);
    expect(mode(dirname(own.file))).toBe(0o700);
    expect(mode(shared.file)).toBe(mode(put(join(at.project, "any"))));

    const zed = target("zed", at);
    chmodSync(put(zed.file, "{}"), 0o640);
    carriedOut(zed, planInstall(zed, LAUNCH, { force: false }));
    expect(mode(zed.file)).toBe(0o640);
    expect(mode(backupOf(zed))).toBe(0o600);
  });

  it("are written through links, even if the target does not exist yet", () => {
    const at = machine();
    const linked = target("zed", at);
    const real = put(join(at.home, "dotfiles/zed.json"), "{}\n");
    mkdirSync(dirname(linked.file), { recursive: true });
    symlinkSync(real, linked.file);
    carriedOut(linked, planInstall(linked, LAUNCH, { force: false }));
    expect(lstatSync(linked.file).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, "utf8")).toContain("toolwright");
    carriedOut(linked, planUninstall(linked, LAUNCH, { force: false }));
    expect(readFileSync(real, "utf8")).toBe("{}\n");

    rmSync(real);
    carriedOut(linked, planInstall(linked, LAUNCH, { force: false }));
    expect(readFileSync(real, "utf8")).toContain("toolwright");
    carriedOut(linked, planUninstall(linked, LAUNCH, { force: false }));
    expect(readFileSync(real, "utf8")).toBe('{\n  "context_servers": {}\n}\n');
  });

  it("that changed in the meantime, or are not text, are not changed", () => {
    const at = target("gemini", machine());
    put(at.file, "{}");
    const plan = planInstall(at, LAUNCH, { force: false });
    writeFileSync(at.file, '{ "a": 1 }');
    expect(() => carriedOut(at, plan)).toThrow(
      `Another program has changed ${at.file}. Nothing was written. Run this again.`,
    );
    expect(readdirSync(dirname(at.file))).toEqual(["settings.json"]);

    writeFileSync(at.file, Buffer.from([0xff, 0xfe, 0x7b, 0x00]));
    expect(planInstall(at, LAUNCH, { force: false })).toEqual({
      kind: "refused",
      problem: `${at.file} is not UTF-8 text. Nothing was changed. Correct it, then run this again.`,
    });
  });

  it("[U1] findInstallations reports which agents exist, where Toolwright is installed, and whether that still works", () => {
    const at = machine();
    const node = put(join(at.home, "bin/node"));
    const launch = { command: node, args: [put(join(at.home, "toolwright/dist/cli.mjs")), "mcp"] };
    const cursor = target("cursor", at);
    carriedOut(cursor, planInstall(cursor, launch, { force: false }));
    const claude = target("claude-code", at, "project");
    carriedOut(claude, planInstall(claude, LAUNCH, { force: false }));
    put(join(at.home, "path/codex"));
    const zed = put(target("zed", at).file, "{");
    put(target("gemini", at).file, '{ "mcpServers": { "toolwright": { "command": "else" } } }');

    const found = findInstallations({ ...at, env: { PATH: join(at.home, "path") } }, launch);
    const of = (id: string): unknown => found.find((agent) => agent.id === id);
    expect(found.map(({ id }) => id)).toEqual(AGENTS.map(({ id }) => id));
    expect(of("cursor")).toEqual({
      id: "cursor",
      name: "Cursor",
      present: true,
      installations: [
        {
          level: "user",
          file: cursor.file,
          name: "toolwright",
          command: [node, ...launch.args],
          env: {},
          status: "ok",
        },
      ],
      problems: [],
    });
    expect(of("claude-code")).toMatchObject({ present: false, installations: [{ level: "project", status: "stale" }] });
    expect(of("codex")).toMatchObject({ present: true, installations: [] });
    expect(of("gemini")).toMatchObject({ installations: [{ status: "foreign", command: ["else"] }] });
    expect(of("zed")).toMatchObject({ problems: [`${zed}:1 is not valid JSON (close brace expected).`] });
    expect(of("windsurf")).toMatchObject({ present: false, installations: [], problems: [] });
  });

  it("[U1] findInstallations finds the server under any name, in every file and section that a program reads", () => {
    const at = { ...machine(), env: { OPENCODE_CONFIG: "oc.json" } };
    const inner = join(at.project, "a/b");
    mkdirSync(inner, { recursive: true });
    const ours = { command: "npx", args: ["-y", "toolwright", "mcp"] };
    const both = { command: ["toolwright", "mcp"] };
    const write = (file: string, value: unknown): string => put(file, JSON.stringify(value));
    const claude = write(join(at.home, ".claude.json"), {
      mcpServers: { mine: { ...ours, env: { KEY: "s3cret" } }, other: { command: "other" } },
      projects: { [at.project]: { mcpServers: { local: ours } }, "/else": { mcpServers: { never: ours } } },
    });
    const near = write(join(at.project, "a/.mcp.json"), { mcpServers: { near: ours } });
    const opencode = write(join(inner, "oc.json"), {
      mcp: { old: both, servers: { new: { ...both, disabled: true } } },
    });
    const insiders = write(join(at.home, ".config/Code - Insiders/User/mcp.json"), { servers: { theirs: ours } });
    mkdirSync(join(at.home, ".config/Code"));
    const codex = put(join(at.home, ".codex/config.toml"), '[mcp_servers.x]\ncommand = "toolwright"\nargs = ["mcp"]\n');

    const found = findInstallations({ ...at, cwd: inner }, LAUNCH);
    const of = (id: string): unknown =>
      found
        .find((agent) => agent.id === id)
        ?.installations.map(({ level, file, name, status }) => [level, file, name, status]);
    expect(of("claude-code")).toEqual([
      ["user", claude, "mine", "ok"],
      ["user", claude, "local", "ok"],
      ["project", near, "near", "ok"],
    ]);
    expect(of("opencode")).toEqual([
      ["user", opencode, "new", "off"],
      ["user", opencode, "old", "ok"],
    ]);
    expect(of("vscode")).toEqual([["user", insiders, "theirs", "ok"]]);
    expect(of("codex")).toEqual([["user", codex, "x", "ok"]]);
    // If the home folder is the project, each file is listed once.
    const home = findInstallations({ ...at, project: at.home, cwd: at.home }, LAUNCH);
    expect(home.find(({ id }) => id === "codex")?.installations).toHaveLength(1);
  });
});

describe("[M3] [U1] toolwright install and uninstall", () => {
  it("show the command and the change, write it, and print the next step", async () => {
    const at = sandbox();
    const file = put(join(at.home, ".cursor/mcp.json"), "{}\n");
    const { command, args } = ownLaunch();
    const words = [command, ...args].join(" ");
    expect(await run(install, at, ["cursor"])).toEqual({
      code: 0,
      stderr: "",
      stdout: `Cursor, for all projects: ${file}
  Starts: ${words}
  Adds:
    {
      "mcpServers": {
        "toolwright": {
          "type": "stdio",
          "command": "${command}",
          "args": [
            "${args[0]}",
            "mcp"
          ]
        }
      }
    }
  Installed. There is no terminal, so no confirmation was asked.
  Backup: ${join(at.home, ".toolwright/backups")}/mcp.json.${createHash("sha256").update(file).digest("hex").slice(0, 12)}
  Next: Restart Cursor, and check that toolwright is enabled among its MCP servers (Customize, MCPs).
`,
    });
    expect((await run(install, at, ["cursor"])).stdout).toBe(
      `Cursor, for all projects: ${file}\n  Already installed.\n`,
    );
    expect((await run(uninstall, at, ["cursor", "--yes"])).stdout).toBe(
      `Cursor, for all projects: ${file}\n  Removes: ${words}\n  Removed.\n  Next: Restart Cursor.\n`,
    );
    expect(readFileSync(file, "utf8")).toBe("{}\n");
    expect((await run(uninstall, at, ["cursor"])).stdout).toBe(`Cursor, for all projects: ${file}\n  Not installed.\n`);
  });

  it("print the file behind a link", async () => {
    const at = sandbox();
    const real = put(join(at.root, "elsewhere.json"), "{}");
    const file = join(at.home, ".claude.json");
    symlinkSync(real, file);
    const { stdout } = await run(install, at, ["claude-code", "--dry-run"]);
    expect(stdout).toContain(`Claude Code, for all projects: ${file} (a link to ${real})\n`);

    const shared = join(at.project, ".mcp.json");
    symlinkSync(real, shared);
    expect(await run(install, at, ["claude-code", "--project"])).toEqual({
      code: 1,
      stdout: "",
      stderr: `toolwright: ${shared} is a link out of the project, to ${real}. Nothing was changed. Replace the link with a file, or edit ${real} yourself.\n`,
    });
    expect(readFileSync(real, "utf8")).toBe("{}");
  });

  it("ask if a person can answer", async () => {
    const at = sandbox();
    const file = join(at.home, ".cursor/mcp.json");
    const no = await run(install, at, ["cursor"], "n\n");
    expect(no).toMatchObject({ code: 1, stdout: expect.stringContaining("  Nothing was written.\n") });
    expect(existsSync(file)).toBe(false);
    const yes = await run(install, at, ["cursor"], "y\n");
    expect(yes).toMatchObject({ code: 0, stdout: expect.stringContaining("  Installed.\n") });
    expect(existsSync(file)).toBe(true);
  });

  it("--dry-run writes nothing; arguments after -- are passed to the server; --name sets its name", async () => {
    const at = sandbox();
    const { code, stdout } = await run(install, at, [
      "codex",
      "--dry-run",
      "--name",
      "mine",
      "--",
      "--builtins",
      "--tools",
      "a*",
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain(`mcp --name mine --builtins --tools 'a*'\n  Adds:\n    [mcp_servers.mine]\n`);
    expect(stdout).toContain(
      `"mcp", "--name", "mine", "--builtins", "--tools", "a*"]\n    omit_tools_from = ["deferred", "code_mode"]\n\nDry run: nothing was written.\n`,
    );
    expect(readdirSync(at.home)).toEqual([]);
  });

  it.each([
    ["an unknown option", ["--builtin"], 'Unknown option --builtin. Did you mean "--builtins"?'],
    ["another argument", ["--read-only", "x"], 'Unexpected argument "x". Usage: toolwright mcp [options]'],
    ["a server over HTTP", ["--http"], "An agent talks to the server over stdin and stdout. Remove --http."],
    ["an option for HTTP", ["--port", "1"], "An agent talks to the server over stdin and stdout. Remove --port."],
  ])("refuse %s for the server, which would only fail when the agent starts it", async (_what, flags, says) => {
    const at = sandbox();
    await expect(run(install, at, ["codex", "--", ...flags])).rejects.toThrow(new UsageError(says));
    expect(readdirSync(at.home)).toEqual([]);
  });

  it("accept only a folder for the server that does not depend on where the agent starts it", async () => {
    const at = sandbox();
    await expect(run(install, at, ["zed", "--", "--cwd", "sub"])).rejects.toThrow(
      new UsageError(
        `The agent may start the server in any directory. Use an absolute path: --cwd ${join(at.project, "sub")}`,
      ),
    );
    const { stdout } = await run(install, at, ["vscode", "--project", "--", "--cwd", "$" + "{workspaceFolder}"]);
    expect(stdout).toContain("mcp --cwd '$" + "{workspaceFolder}'");
  });

  it("--all changes every agent that is found; a failure does not stop the others", async () => {
    const at = sandbox();
    expect((await run(install, at, ["--all"])).stdout).toBe(
      "No supported agent was found on this machine. To list the supported agents, run: toolwright install\n",
    );
    for (const folder of [".codex", ".gemini", ".cursor", ".codeium/windsurf"])
      mkdirSync(join(at.home, folder), { recursive: true });
    put(join(at.home, ".gemini/settings.json"), "{");
    const { code, stdout } = await run(install, at, ["--all", "--json"]);
    expect(code).toBe(1);
    const { agents } = JSON.parse(stdout);
    expect(agents.map(({ agent, does, done }: Record<string, unknown>) => [agent, does, done])).toEqual([
      ["codex", "add", true],
      ["gemini", "nothing", false],
      ["cursor", "add", true],
      ["windsurf", "add", true],
    ]);
    expect(agents[1].error).toEqual({
      message: `${join(at.home, ".gemini/settings.json")}:1 is not valid JSON (close brace expected). Nothing was changed. Correct it, then run this again.`,
    });
    const project = JSON.parse((await run(install, at, ["--all", "--project", "--dry-run", "--json"])).stdout);
    expect(project.dryRun).toBe(true);
    expect(project.agents.map(({ agent }: { agent: string }) => agent)).toEqual(["codex", "gemini", "cursor"]);

    const removed = JSON.parse((await run(uninstall, at, ["--all", "--json"])).stdout);
    expect(removed.agents.map(({ agent }: { agent: string }) => agent)).toEqual(["codex", "cursor", "windsurf"]);
    expect(existsSync(join(at.home, ".codex/config.toml"))).toBe(false);
    expect((await run(uninstall, at, ["--all"])).stdout).toBe("Toolwright is not installed in any agent.\n");
  });

  it("--all --dry-run shows the changes for every agent, and writes nothing", async () => {
    const at = sandbox();
    const program = (name: string): string => put(join(at.root, "bin", name));
    for (const { programs } of AGENTS) program(String(programs[0]));
    const path = { PATH: join(at.root, "bin") };
    const { code, stdout } = await run(install, at, ["--all", "--dry-run"], undefined, path);
    expect(code).toBe(0);
    const blocks = stdout.split(/\n\n(?=\S)/);
    expect(blocks.map((block) => block.split("\n")[0])).toEqual([
      ...ROWS.map(({ id, user }) => `${findAgent(id)?.name}, for all projects: ${join(at.home, user)}`),
      "Dry run: nothing was written.",
    ]);
    const { command, args } = ownLaunch();
    for (const [at, { fresh }] of ROWS.entries()) {
      const entry = fresh.replaceAll(LAUNCH.command, command).replaceAll(String(LAUNCH.args[0]), String(args[0]));
      const shown = entry.trimEnd().replace(/^(?=.)/gm, "    ");
      expect(blocks[at]).toMatch(/^.*\n {2}Starts: .*\n {2}Adds:\n/);
      expect(blocks[at]).toContain(shown);
    }
    const inProject = await run(install, at, ["--all", "--dry-run", "--project"], undefined, path);
    expect(inProject.stdout.match(/^\S.*(?=:)/gm)?.slice(0, -1)).toEqual(
      ROWS.filter(({ project }) => project).map(({ id }) => `${findAgent(id)?.name}, for this project`),
    );
    expect([readdirSync(at.home), readdirSync(at.project)]).toEqual([[], [".git", ".toolwright"]]);
  });

  it("uninstall removes the server from every file, and lists it under other names", async () => {
    const at = sandbox();
    await run(install, at, ["cursor", "codex", "--name", "mine"]);
    await run(install, at, ["codex"]);
    const cursor = join(at.home, ".cursor/mcp.json");
    const codex = join(at.home, ".codex/config.toml");
    expect((await run(uninstall, at, ["cursor"])).stdout).toBe(
      `Cursor, for all projects: ${cursor}\n  Not installed. It is in ${cursor} as "mine": toolwright uninstall cursor --name mine\n`,
    );
    expect((await run(install, at, [])).stdout).toContain(`cursor          found  user (${cursor}) as "mine"\n`);
    const all = await run(uninstall, at, ["--all"]);
    expect(all.stdout).toContain(
      `Codex keeps it in ${codex} as "mine": toolwright uninstall codex --name mine\nCursor keeps it in ${cursor} as "mine": toolwright uninstall cursor --name mine\nCodex, for all projects: ${codex}\n  Removes: `,
    );
    expect((await run(uninstall, at, ["--all", "--project", "--name", "mine"])).stdout).toBe(
      `Nothing is installed for this project.\nCodex keeps it in ${codex} as "mine": toolwright uninstall codex --name mine\nCursor keeps it in ${cursor} as "mine": toolwright uninstall cursor --name mine\n`,
    );
    await run(uninstall, at, ["--all", "--name", "mine"]);
    expect(readdirSync(at.home)).toEqual([".toolwright"]);

    const entry = { command: "toolwright", args: ["mcp"] };
    const claude = put(
      join(at.home, ".claude.json"),
      JSON.stringify({
        mcpServers: { toolwright: entry },
        projects: { [at.project]: { mcpServers: { toolwright: entry } } },
      }),
    );
    const opencode = put(
      join(at.home, ".config/opencode/opencode.json"),
      '{ "mcp": { "toolwright": { "command": ["toolwright", "mcp"] } } }',
    );
    const other = put(join(at.home, ".opencode/opencode.json"), readFileSync(opencode, "utf8"));
    const removed = JSON.parse((await run(uninstall, at, ["claude-code", "opencode", "--json"])).stdout);
    expect(removed.agents.map(({ file, does, done }: Record<string, unknown>) => [file, does, done])).toEqual([
      [claude, "remove", true],
      [opencode, "remove", true],
      [other, "remove", true],
    ]);
    for (const file of [claude, opencode, other]) expect(readFileSync(file, "utf8")).not.toContain('"toolwright"');
  });

  it("--json omits environment variables of entries: they may be secret", async () => {
    const at = sandbox();
    put(
      join(at.home, ".cursor/mcp.json"),
      '{ "mcpServers": { "toolwright": { "command": "toolwright", "args": ["mcp"], "env": { "KEY": "s3cret" } } } }',
    );
    const { stdout } = await run(install, at, ["--json"]);
    expect(stdout).toContain('"command"');
    expect(stdout).not.toContain("s3cret");
  });

  it("--project writes into the root of the project, and uninstall prints the file", async () => {
    const at = sandbox();
    const inner = join(at.project, "a/b");
    mkdirSync(inner, { recursive: true });
    await run(install, at, ["claude", "--project", "--cwd", inner]);
    const file = join(at.project, ".mcp.json");
    expect(existsSync(file)).toBe(true);
    expect((await run(uninstall, at, ["claude-code"])).stdout).toContain(
      `  Not installed. It is in ${file}: toolwright uninstall claude-code --project\n`,
    );
    const listed = (await run(install, at, [])).stdout;
    expect(listed).toContain(`claude-code     -     project (${file})\n`);
    expect(listed).toContain("cursor          -     -\n");
    expect(listed.endsWith("\n\nNext: toolwright install AGENT\n")).toBe(true);
    await run(uninstall, at, ["claude-code", "--project"]);
    expect(existsSync(file)).toBe(false);
  });

  it.each<[Command, string[], string]>([
    [install, ["curser"], 'Unknown agent "curser". Did you mean "cursor"?'],
    [
      install,
      ["emacs"],
      'Unknown agent "emacs". Agents: claude-code, copilot, opencode, codex, gemini, pi, oh-my-pi, claude-desktop, cursor, vscode, windsurf, zed, qwen, amp, crush, droid, auggie, kimi, kilo, grok, kiro, junie, warp, cline, roo, antigravity, lm-studio.',
    ],
    [install, ["windsurf", "--project"], "Windsurf has no configuration for projects. Remove --project."],
    [install, ["claude-desktop", "--project"], "Claude Desktop has no configuration for projects. Remove --project."],
    [install, ["cursor", "--user", "--project"], "--user and --project cannot be combined."],
    [install, ["cursor", "--all"], "--all cannot be combined with names of agents."],
    [install, ["cursor", "--name", "a.b"], "--name takes up to 30 letters, digits, - and _."],
    [uninstall, [], "Name an agent, or use --all: toolwright uninstall cursor"],
  ])("usage errors (%#)", async (command, args, message) => {
    await expect(run(command, sandbox(), args)).rejects.toThrow(message);
  });

  it("a failure is reported on stderr", async () => {
    const at = sandbox();
    const file = put(join(at.home, ".cursor/mcp.json"), '{ "mcpServers": { "toolwright": { "url": "https://x" } } }');
    expect(await run(install, at, ["cursor"])).toEqual({
      code: 1,
      stdout: "",
      stderr: `toolwright: ${file} has another server named "toolwright". Nothing was changed. Choose another name with --name, or use --force.\n`,
    });
  });
});

describe("[M3] [Z3] the built program", () => {
  beforeAll(ensureBuilt);

  it("writes the paths of the Node that runs it and of itself", async () => {
    const at = sandbox();
    const ended = await cli(at, ["install", "claude-code", "--json", "--", "--builtins"]);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const file = join(at.home, ".claude.json");
    expect(json(ended)).toMatchObject({ dryRun: false, agents: [{ agent: "claude-code", file, done: true }] });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      mcpServers: {
        toolwright: { type: "stdio", command: process.execPath, args: [CLI, "mcp", "--builtins"], alwaysLoad: true },
      },
    });
    expect(await cli(at, ["uninstall", "claude-code"])).toMatchObject({ code: 0 });
    expect(existsSync(file)).toBe(false);
  });

  it("exits 2 for an unknown agent, and lists the known ones", async () => {
    const at = sandbox();
    expect(await cli(at, ["install", "zedd"])).toEqual({
      code: 2,
      signal: null,
      stdout: "",
      stderr: 'toolwright: Unknown agent "zedd". Did you mean "zed"?\n',
    });
    const ended = await cli(at, ["install", "--json"]);
    expect(json<{ agents: { id: string }[] }>(ended).agents.map(({ id }) => id)).toEqual(AGENTS.map(({ id }) => id));
  });
});

describe("[M3] [U1] toolwright doctor, for agents", () => {
  it("tests the installed servers, and lists the agents that it finds", async () => {
    const at = sandbox();
    mkdirSync(join(at.home, ".codex"));
    await run(install, at, ["gemini", "--yes"]);
    const { stdout } = await run(doctor, at, []);
    const file = join(at.home, ".gemini/settings.json");
    expect(stdout).toContain("ok    Codex found. To give it your tools, run: toolwright install codex\n");
    expect(stdout).toMatch(new RegExp(`\nok {4}Gemini CLI: installed in ${file}, answers in \\d+ ms with 0 tools\n`));
  });

  it("finds installations in every file and under any name, and starts them as the agent would", async () => {
    const at = sandbox();
    const tools = Array.from({ length: 1_001 }, (_, n) => JSON.stringify({ name: `t${n}`, description: "d" }));
    put(
      join(at.home, ".toolwright/tools/many.mjs"),
      `const args = {};\n/** @type {import("toolwright").CustomToolFactory} */\nexport default (pi) => [${tools.map((tool) => `{ ...${tool}, parameters: { type: "object" }, execute: async () => "" }`).join(",\n")}];\n`,
    );
    await run(install, at, ["cursor", "--name", "mine"]);
    await run(install, at, ["gemini", "--", "--read-only"]);
    const { command, args } = ownLaunch();
    const gemini = join(at.home, ".gemini/settings.json");
    const off = { mcpServers: { toolwright: { command, args, enabled: false } } };
    const zed = put(join(at.home, ".config/zed/settings.json"), JSON.stringify({ context_servers: off.mcpServers }));
    const elsewhere = {
      command,
      args: [...args, "--tools", "t1"],
      env: { TOOLWRIGHT_HOME: join(at.home, "other"), PATH: "{env:PATH}" },
    };
    const claude = put(join(at.home, ".claude.json"), JSON.stringify({ mcpServers: { toolwright: elsewhere } }));
    const codex = put(
      join(at.home, ".codex/config.toml"),
      '[mcp_servers.gone]\ncommand = "/gone/node"\nargs = ["/gone/toolwright/dist/cli.mjs", "mcp", "--name", "gone", "--builtins"]\n',
    );
    const { code, stdout } = await run(doctor, at, []);
    expect(code).toBe(1);
    const line = (text: string): RegExp => new RegExp(`^${text.replaceAll(".", "\\.").replace("MS", "\\d+")}$`, "m");
    expect(stdout).toMatch(
      line(`ok    Cursor: installed in ${at.home}/.cursor/mcp.json as "mine", answers in MS ms with 1001 tools`),
    );
    expect(stdout).toMatch(line(`ok    Gemini CLI: installed in ${gemini}, answers in MS ms with 0 tools`));
    expect(stdout).toMatch(line(`ok    Claude Code: installed in ${claude}, answers in MS ms with 0 tools`));
    expect(stdout).toContain(`warn  Zed: installed in ${zed}, but disabled there\n      Enable it in Zed.\n`);
    expect(stdout).toContain(
      `fail  Codex: the files of its command (in ${codex}) are missing: /gone/node /gone/toolwright/dist/cli.mjs mcp --name gone --builtins\n      Run: toolwright install codex --name gone -- --builtins\n`,
    );
  });

  it("[D7] [X1] starts no server from a file of the user that is inside an untrusted project", async () => {
    const at = sandbox();
    const mark = join(at.root, "mark");
    chmodSync(put(join(at.project, "bin/toolwright"), `#!/bin/sh\ntouch ${mark}\n`), 0o755);
    put(
      join(at.project, "cfg/.claude.json"),
      '{ "mcpServers": { "toolwright": { "command": "bin/toolwright", "args": ["mcp"] } } }',
    );
    const { stdout } = await run(doctor, at, [], undefined, { CLAUDE_CONFIG_DIR: "cfg" });
    expect(stdout).toContain(
      "Claude Code: installed in cfg/.claude.json, not tested because this project is not trusted",
    );
    expect(existsSync(mark)).toBe(false);
  });

  it("[D7] [X1] starts no program that files of an untrusted project name", async () => {
    const at = sandbox();
    const mark = join(at.root, "mark");
    const program = put(join(at.project, "bin/toolwright"), `#!/bin/sh\ntouch ${mark}\n`);
    chmodSync(program, 0o755);
    put(
      join(at.project, ".mcp.json"),
      '{ "mcpServers": { "toolwright": { "command": "bin/toolwright", "args": ["mcp"] } } }',
    );
    const { code, stdout } = await run(doctor, at, []);
    expect({ code, ran: existsSync(mark) }).toEqual({ code: 0, ran: false });
    expect(
      stdout,
    ).toContain(`warn  Claude Code: installed in .mcp.json, not tested because this project is not trusted: bin/toolwright mcp
      If this command is correct, run: toolwright trust\n`);
    await run(doctor, at, ["--trust"]);
    expect(existsSync(mark)).toBe(true);
  });
});

/** An empty home folder and an empty project. */
function machine(): UserEnvironment {
  const { home, project } = sandbox();
  return { env: {}, home, cwd: project, platform: "linux", project };
}

function target(id: string, at: UserEnvironment, level: Level = "user"): ConfigTarget {
  const agent = findAgent(id);
  const found = agent && targetAt(agent, level, at, "toolwright");
  if (!found) throw new Error(`${id} has no file at the ${level}'s level`);
  return found;
}

function carriedOut(at: ConfigTarget, plan: Plan): { backup?: string } {
  if (plan.kind !== "change") throw new Error(`not a change: ${JSON.stringify(plan)}`);
  return applyPlan(at, plan);
}

function mode(file: string): number {
  return statSync(file).mode & 0o777;
}

/** Runs a command as the program would; `typed` is the answer at the terminal. */
async function run(
  command: Command,
  at: Sandbox,
  args: readonly string[],
  typed?: string,
  env: Record<string, string> = {},
  columns?: number,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const written = { stdout: "", stderr: "" };
  const output = (name: keyof typeof written) => ({
    isTTY: false,
    columns,
    colour: false,
    unread: 0,
    isClosed: false,
    write(text: string): void {
      written[name] += text;
    },
    report(text: string): void {
      written[name] += text;
    },
  });
  const stdin = new PassThrough();
  stdin.end(typed);
  const terminal = {
    cwd: at.project,
    // Hides the agents that are installed on the machine that runs the tests.
    env: { HOME: at.home, ...env },
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: output("stdout"),
    stderr: output("stderr"),
    interactive: typed !== undefined,
  };
  const code = await command.run(parseArguments(command.spec, args, terminal));
  return { code, ...written };
}
