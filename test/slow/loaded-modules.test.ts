import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { FOLDERS } from "../../build/layout.ts";
import { CLI, cli, ending, ensureBuilt } from "../support/cli.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { answering } from "../support/toolbox.ts";

beforeAll(ensureBuilt);

/** Reports each module that a process loads, and whether the compile cache was enabled by then. */
const PROBE = `import { getCompileCacheDir, registerHooks } from "node:module";
registerHooks({
  load(url, context, next) {
    process.stderr.write(\`loaded \${getCompileCacheDir() === undefined ? "uncached" : "cached"} \${url}\\n\`);
    return next(url, context);
  },
});
`;

/** What a client of `toolwright mcp` sends for one call. */
const MCP_CALL = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/call", params: { name: "a", arguments: {} } },
]
  .map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  .join("");

interface Loaded {
  /** Source files (\`src/core/tool.ts\`), packages and built-in modules. */
  readonly modules: readonly string[];
  /** Those that were loaded before the compile cache was enabled. */
  readonly uncached: readonly string[];
}

describe("[Z1] a command with cached tools", () => {
  /** No command that opens no session loads these. */
  const NEVER = [
    /^src\/(?:host\/(?:schema|loader|formats|process)|agents\/run)\//,
    /node_modules/,
    /sqlite|^src\/sessions\/store\//,
  ];
  const HOSTS = [...NEVER, /^src\/(?:catalog\/(?:discovery\/watch|hosts\/host-process)|surfaces\/mcp\/)/];
  const CALLS = [...HOSTS, /^src\/(?:calls|sessions)\/|^src\/toolbox\/served-toolbox/];

  it.each<[string, readonly string[], readonly RegExp[]]>([
    ["list", ["list", "--json"], CALLS],
    ["list as text", ["list", "--long"], CALLS],
    ["trust", ["trust"], CALLS],
    ["help", ["help"], CALLS],
    ["show", ["show", "a"], HOSTS],
    ["permissions", ["permissions"], HOSTS],
    ["run", ["run", "a"], NEVER],
    ["mcp", ["mcp"], NEVER],
  ])("%s loads only the modules that it needs", async (_, args, never) => {
    const { modules } = await loadedBy(await warm(), args);
    // The last ones have called the tool.
    expect(modules).toContain(never === NEVER ? "src/catalog/hosts/host-process.ts" : "src/surfaces/cli/program.ts");
    expect(modules.filter((module) => never.some((rule) => rule.test(module)))).toEqual([]);
  });

  it("loads almost all modules through the compile cache", async () => {
    const { uncached } = await loadedBy(await warm(), ["list", "--json"]);
    expect(uncached).toEqual([
      "src/surfaces/cli/main.ts",
      "src/core/version.ts",
      "src/surfaces/cli/start-command.ts",
      "src/settings/defaults.ts",
    ]);
  });
});

describe("[Z1] a host process", () => {
  /** Small modules that `index.ts` exports, and what they import. */
  const SMALL = [
    "src/surfaces/libraries/adapted-tools.ts",
    "src/surfaces/libraries/mcp-server-config.ts",
    "src/surfaces/client-limits/fit-names.ts",
    "src/surfaces/client-limits/model-image.ts",
    "src/sessions/log/session-id.ts",
    "src/sessions/log/session-info.ts",
    "src/catalog/registry/registry-entry.ts",
    "src/toolbox/attachment-line.ts",
    "src/catalog/builtin-selection.ts",
  ];

  // Tool files import `index.mjs`.
  it.each(["host.mjs", "index.mjs"])("loads no code of the serving process with %s", (entry) => {
    const serving = FOLDERS.filter(({ process }) => process === "serving").map(({ name }) => `src/${name}/`);
    const sources = staticSources(join(dirname(CLI), entry));
    expect(sources).toContain("src/core/tool.ts");
    const wrong = sources.filter((source) => serving.some((folder) => source.startsWith(folder)));
    expect(wrong.filter((source) => !SMALL.includes(source))).toEqual([]);
  });
});

/** The source files of a file of the build and of all that it imports, except on demand. */
function staticSources(entry: string): string[] {
  const files = new Set([entry]);
  for (const file of files) {
    for (const [, to = ""] of readFileSync(file, "utf8").matchAll(
      /^(?:import|export) (?:[^"\n]*? from )?"(\.[^"]+)"/gm,
    ))
      files.add(join(dirname(file), to));
  }
  return [...files].flatMap((file) => sourcesOf(pathToFileURL(file).href));
}

/** A project whose tool has been read before. */
async function warm(): Promise<Sandbox> {
  const at = sandbox({ "a.ts": answering('"done"') });
  await cli(at, ["list", "--trust"]);
  return at;
}

async function loadedBy(at: Sandbox, args: readonly string[]): Promise<Loaded> {
  const probe = join(at.root, "probe.mjs");
  writeFileSync(probe, PROBE);
  const { NODE_COMPILE_CACHE: _, ...env } = at.env;
  const argv = ["--import", probe, CLI, ...args, "--trust"];
  const child = spawn(process.execPath, argv, { cwd: at.project, env });
  child.stdin.end(args[0] === "mcp" ? MCP_CALL : undefined);
  const { code, stderr } = await ending(child);
  const lines = [...stderr.matchAll(/^loaded (\w+) (.+)$/gm)].map(([, cached = "", url = ""]) => ({ cached, url }));
  expect({ code, rest: stderr.replaceAll(/^loaded .+\n/gm, "") }).toEqual({ code: 0, rest: "" });
  return {
    modules: lines.flatMap(({ url }) => sourcesOf(url)),
    uncached: lines.filter(({ cached }) => cached === "uncached").flatMap(({ url }) => sourcesOf(url)),
  };
}

/** The source files that a file of the build was made of, which comments in it name, and the built-in modules that it uses. */
function sourcesOf(url: string): string[] {
  if (!url.startsWith(new URL(".", `file://${CLI}`).href)) return [url];
  const text = readFileSync(fileURLToPath(url), "utf8");
  return [...text.matchAll(/^\/\/ (src\/\S+)$|(?:getBuiltinModule\(|from )"(node:sqlite)"/gm)].map(
    ([, source, builtin]) => (source ?? builtin) as string,
  );
}
