import { globSync } from "node:fs";
import { basename } from "node:path";
import type { ChunkingContext } from "rolldown";
import { defineConfig } from "tsdown";
import { completePiTypes, fixTypes } from "./build/editor-types.ts";
import { thirdPartyLicenses } from "./build/third-party-licenses.ts";

/** The module that starts commands, with `list`: every command loads it. All that it imports is in one file. */
const PROGRAM = /src[\\/]surfaces[\\/]cli[\\/]program\.ts$/;
/** The module that commands and programs that call tools load besides. */
const OPEN_TOOLBOX = /src[\\/]toolbox[\\/]open-toolbox\.ts$/;
/** Modules that host processes load. Tool files import `index.ts`. */
const IN_HOSTS = /src[\\/](?:(?:host[\\/]process|builtins|authoring)[\\/].*|index)\.ts$/;
/** Small modules that most files need. Only the server of the REST API needs its contract. */
const SMALL = /src[\\/](?:core[\\/](?!api)|platform[\\/](?:values|text|waiting)[\\/])/;
/** What `index.ts` exports of sessions. Commands that open no session do not load it. */
const SESSION_INFO = /src[\\/]sessions[\\/]log[\\/]session-i/;

/** Modules of the serving process that hosts load too. They are in another file, so that hosts load no more than they need. */
function sharedWithHosts(id: string, context: ChunkingContext): string | undefined {
  const isReached = (from: RegExp): boolean => isImportedBy(from, id, context);
  const isShared = (isReached(PROGRAM) || isReached(OPEN_TOOLBOX)) && isReached(IN_HOSTS) && !SESSION_INFO.test(id);
  return SMALL.test(id) || isShared ? "shared" : undefined;
}

/** Whether a module that matches imports this one, directly or through others. Imports on demand do not count. */
function isImportedBy(from: RegExp, id: string, context: ChunkingContext): boolean {
  const found = new Set([id]);
  for (const each of found) {
    if (from.test(each)) return true;
    for (const importer of context.getModuleInfo(each)?.importers ?? []) found.add(importer);
  }
  return false;
}

/**
 * Replaces ESM imports of Node modules by `process.getBuiltinModule`. An ESM import evaluates every lazy getter of the
 * module, which adds several milliseconds to a cached list.
 */
const lazyBuiltins = {
  name: "lazy-builtins",
  renderChunk: (code: string): string =>
    code
      .replace(
        /^import \{([^}]*)\} from "(node:[^"]+)";$/gm,
        (_line, names: string, name: string) =>
          `const {${names.replaceAll(" as ", ": ")}} = process.getBuiltinModule("${name}");`,
      )
      // The imported name may be `process`.
      .replace(/^import (\w+) from "(node:[^"]+)";$/gm, 'const $1 = globalThis.process.getBuiltinModule("$2");'),
};

/** Built-in tools are located by file name, so each is an entry. */
const BUILTINS = Object.fromEntries(
  globSync("src/builtins/*.ts").map((file) => [`builtins/${basename(file, ".ts")}`, file]),
);

/** The MCP SDK and the packages that are bundled with it. */
const OF_MCP = /[\\/]node_modules[\\/](?:@modelcontextprotocol[\\/](?:server|core)|zod)[\\/]/;

/**
 * Bundles the SDK and its copy of Zod into one file: otherwise `toolwright mcp` opens a hundred files at startup. Tool
 * files, and the rest of this package, import Zod from its package.
 */
function isOfMcp(id: string, importer: string | undefined): boolean {
  if (importer !== undefined && OF_MCP.test(importer)) return !id.startsWith("node:");
  return id.startsWith("@modelcontextprotocol/server");
}

/** Packages whose code is in the files of the MCP SDK. */
const INSIDE_MCP_SDK = ["ajv", "ajv-formats", "fast-deep-equal", "fast-uri", "json-schema-traverse"];

/** Packages whose types `toolwright init` writes into a project. */
const WITH_TYPES = ["zod", "typebox", "@sinclair/typebox", "@earendil-works/pi-tui", "marked"];

export default defineConfig([
  {
    entry: {
      index: "src/index.ts",
      cli: "src/surfaces/cli/main.ts",
      host: "src/host/process/child.ts",
      pi: "src/authoring/pi/index.ts",
      "pi-values": "src/authoring/pi/values.ts",
      opencode: "src/authoring/opencode/index.ts",
      atomic: "src/authoring/pi/atomic.ts",
      copilot: "src/authoring/copilot/extension.ts",
      roo: "src/authoring/roo/index.ts",
      openclaw: "src/authoring/openclaw/index.ts",
      xmcp: "src/authoring/xmcp/index.ts",
      mcp: "src/surfaces/mcp/index.ts",
      adapters: "src/surfaces/libraries/index.ts",
      agents: "src/agents/run/index.ts",
      client: "src/surfaces/http/client/index.ts",
      builtins: "src/builtins/exports/index.ts",
      "pi-extension": "src/surfaces/pi/pi-extension.ts",
      "pi-session": "src/surfaces/pi/session-extension.ts",
      "page-converter": "src/builtins/web/page-converter.ts",
      ...BUILTINS,
    },
    copy: [{ from: "src/builtins/*.txt", to: "dist/builtins", flatten: true }],
    format: "esm",
    platform: "node",
    target: "node22.18",
    dts: false,
    clean: ["dist/*"],
    plugins: [lazyBuiltins, thirdPartyLicenses(INSIDE_MCP_SDK)],
    deps: { alwaysBundle: isOfMcp, onlyBundle: false },
    // Names and lines are kept for stack traces. Output is ASCII only: V8 stores a file with other characters in two
    // bytes per character, which is slower to load.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
    // Each file adds a fraction of a millisecond to a command: these groups reduce about twenty files to six.
    outputOptions: {
      comments: { legal: true, annotation: false, jsdoc: false },
      codeSplitting: {
        groups: [
          { name: "version", test: /src\/core\/version/, priority: 4 },
          // Loaded before the compile cache is enabled, so it must not import other groups.
          { name: "defaults", test: /src\/settings\/defaults/, priority: 4 },
          { name: sharedWithHosts, debugName: "shared", priority: 3 },
          { name: "session-info", test: SESSION_INFO, priority: 2 },
          { name: "output", test: /src\/host\/output/, priority: 2 },
          { name: "listing", test: PROGRAM, priority: 2 },
          { name: "toolbox", test: OPEN_TOOLBOX, priority: 1 },
          { name: "mcp-sdk", test: OF_MCP, priority: 1 },
        ],
      },
    },
  },
  {
    // In one file, without the modules that the groups above would add to it: it runs as long as agents do.
    entry: { "guard-process": "src/platform/processes/guard-process.ts" },
    format: "esm",
    platform: "node",
    target: "node22.18",
    dts: false,
    clean: false,
    plugins: [lazyBuiltins],
  },
  {
    // A separate build, because the groups above would split the types too.
    entry: {
      index: "src/index.ts",
      adapters: "src/surfaces/libraries/index.ts",
      agents: "src/agents/run/index.ts",
      mcp: "src/surfaces/mcp/index.ts",
      client: "src/surfaces/http/client/index.ts",
      builtins: "src/builtins/exports/index.ts",
    },
    format: "esm",
    platform: "node",
    dts: { oxc: true, emitDtsOnly: true },
    clean: false,
  },
  {
    // The types that `toolwright init` writes into a project. They include the schema libraries, which need not be
    // installed there.
    entry: {
      toolwright: "src/surfaces/cli/editor/toolwright.ts",
      builtins: "src/builtins/exports/index.ts",
      "opencode-plugin": "src/surfaces/cli/editor/opencode-plugin.ts",
      zod: "src/surfaces/cli/editor/zod.ts",
      typebox: "src/surfaces/cli/editor/typebox-types.ts",
      "sinclair-typebox": "src/surfaces/cli/editor/sinclair-typebox.ts",
      pi: "src/authoring/pi/index.ts",
    },
    outDir: "dist/editor",
    format: "esm",
    platform: "node",
    hash: false,
    dts: { oxc: true, emitDtsOnly: true },
    deps: { alwaysBundle: WITH_TYPES, onlyBundle: WITH_TYPES },
    plugins: [fixTypes, completePiTypes, thirdPartyLicenses()],
    // Prevents a shared chunk from taking the name of an entry.
    outputOptions: { chunkFileNames: "shared-[name].mjs" },
    // Hides warnings about Zod's locales, which cannot be bundled and are not needed.
    logLevel: "error",
    clean: false,
  },
]);
