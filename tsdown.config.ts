import { globSync } from "node:fs";
import { basename } from "node:path";
import { defineConfig } from "tsdown";
import { completePiTypes, fixTypes } from "./build/editor-types.ts";

/** Modules that every command with a toolbox loads, and that no host process loads. */
const SERVING =
  /src\/(?:toolbox|sessions|builtins\/manifest|config|json-text|discovery\/(?!watch)|permissions|registry|pipeline|supervisor\/(?:manifest-reader|code-state|host-pool|supervisor|find-bun)|protocol\/runtime|surfaces\/cli\/(?:program|with-toolbox|commands\/list)\.)/;

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

/** Licenses of the bundled packages. */
const LICENSES = ["@modelcontextprotocol/server", "@modelcontextprotocol/core", "zod", "ajv", "ajv-formats"].map(
  (name) => ({
    from: `node_modules/${name}/LICENSE`,
    to: `dist/licenses/${name}`,
  }),
);

/** Packages whose types `toolwright init` writes into a project. */
const WITH_TYPES = ["zod", "typebox", "@sinclair/typebox", "@earendil-works/pi-tui", "marked"];

export default defineConfig([
  {
    entry: {
      index: "src/index.ts",
      cli: "src/surfaces/cli/main.ts",
      host: "src/host/child.ts",
      pi: "src/authoring/pi/index.ts",
      "pi-values": "src/authoring/pi/values.ts",
      opencode: "src/authoring/opencode/index.ts",
      atomic: "src/authoring/pi/atomic.ts",
      copilot: "src/authoring/copilot/extension.ts",
      mcp: "src/mcp/index.ts",
      client: "src/http-client/index.ts",
      "pi-extension": "src/surfaces/pi/pi-extension.ts",
      "page-converter": "src/builtins/web/page-converter.ts",
      ...BUILTINS,
    },
    copy: [{ from: "src/builtins/*.txt", to: "dist/builtins", flatten: true }, ...LICENSES],
    format: "esm",
    platform: "node",
    target: "node22.18",
    dts: false,
    clean: ["dist/*"],
    plugins: [lazyBuiltins],
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
          { name: "defaults", test: /src\/config\/defaults/, priority: 4 },
          {
            name: "core",
            test: /src\/(?:core\/|files\/(?:own-files|stamp)|protocol\/(?:messages|load-problems|checks|plain-json))/,
            priority: 3,
          },
          { name: "output", test: /src\/output/, priority: 2 },
          { name: "serving", test: SERVING, priority: 1 },
          { name: "mcp-sdk", test: OF_MCP, priority: 1 },
        ],
      },
    },
  },
  {
    // A separate build, because the groups above would split the types too.
    entry: { index: "src/index.ts", mcp: "src/mcp/index.ts", client: "src/http-client/index.ts" },
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
    plugins: [fixTypes, completePiTypes],
    // Prevents a shared chunk from taking the name of an entry.
    outputOptions: { chunkFileNames: "shared-[name].mjs" },
    // Hides warnings about Zod's locales, which cannot be bundled and are not needed.
    logLevel: "error",
    clean: false,
  },
]);
