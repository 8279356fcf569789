import { globSync } from "node:fs";
import { basename } from "node:path";
import { defineConfig } from "tsdown";
import { completePiTypes, mendTypes } from "./build/editor-types.ts";

/** What every command that opens a toolbox loads, and no host process does. */
const SERVING =
  /src\/(?:toolbox|sessions|builtins\/manifest|config|json-text|discovery\/(?!watch)|permissions|registry|pipeline|supervisor\/(?:manifest-reader|code-state|host-pool|supervisor|find-bun)|protocol\/runtime|surfaces\/cli\/(?:program|with-toolbox|commands\/list)\.)/;

/**
 * An ESM import of a built-in module evaluates every lazy getter it has, streams and promises included, which costs a
 * list from the cache several milliseconds. Asked for like this it does not.
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
      // What is imported may be called `process`.
      .replace(/^import (\w+) from "(node:[^"]+)";$/gm, 'const $1 = globalThis.process.getBuiltinModule("$2");'),
};

/** Each built-in tool is a file that is found by its name. */
const BUILTINS = Object.fromEntries(
  globSync("src/builtins/*.ts").map((file) => [`builtins/${basename(file, ".ts")}`, file]),
);

/** The MCP SDK, and whatever it alone is made of. */
const OF_MCP = /[\\/]node_modules[\\/](?:@modelcontextprotocol[\\/](?:server|core)|zod)[\\/]/;

/**
 * The SDK and its own Zod go into one file: a server that an agent starts would have a hundred to open before its first
 * word. Authors' files, and ours, go on using the package.
 */
function isOfMcp(id: string, importer: string | undefined): boolean {
  if (importer !== undefined && OF_MCP.test(importer)) return !id.startsWith("node:");
  return id.startsWith("@modelcontextprotocol/server");
}

/** Who gives code away asks for their words to go along. */
const LICENSES = ["@modelcontextprotocol/server", "@modelcontextprotocol/core", "zod", "ajv", "ajv-formats"].map(
  (name) => ({
    from: `node_modules/${name}/LICENSE`,
    to: `dist/licenses/${name}`,
  }),
);

/** The packages whose types go into a project. */
const WITH_TYPES = ["zod", "typebox", "@sinclair/typebox", "@earendil-works/pi-tui", "marked"];

export default defineConfig([
  {
    entry: {
      index: "src/index.ts",
      cli: "src/surfaces/cli/main.ts",
      host: "src/host/child.ts",
      pi: "src/authoring/pi/index.ts",
      "pi-values": "src/authoring/pi/values.ts",
      mcp: "src/mcp/index.ts",
      client: "src/http-client/index.ts",
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
    // Names and lines stay as written, for stack traces. One character beyond ASCII would make a file's text twice as
    // large in memory, and slower to load.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
    // Each file costs a command part of a millisecond to load, and nearly all commands need these: six files, not twenty.
    outputOptions: {
      comments: { legal: true, annotation: false, jsdoc: false },
      codeSplitting: {
        groups: [
          { name: "version", test: /src\/core\/version/, priority: 4 },
          // Loaded before the compile cache is on, so it must not bring the rest along.
          { name: "options", test: /src\/config\/options/, priority: 4 },
          {
            name: "core",
            test: /src\/(?:core\/|files\/(?:own-files|stamp)|protocol\/(?:messages|problems))/,
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
    // Apart, since the groups above would take the types apart too.
    entry: { index: "src/index.ts", mcp: "src/mcp/index.ts", client: "src/http-client/index.ts" },
    format: "esm",
    platform: "node",
    dts: { oxc: true, emitDtsOnly: true },
    clean: false,
  },
  {
    // The types that `toolwright init` copies into a project: whole, the schema libraries' included, since nothing is
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
    plugins: [mendTypes, completePiTypes],
    // Or a part that two share could take the name of one.
    outputOptions: { chunkFileNames: "shared-[name].mjs" },
    // Zod's locales cannot be bundled, and no tool file needs their types.
    logLevel: "error",
    clean: false,
  },
]);
