import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { put, temporary } from "../../../test/support/temporary.ts";
import type { AgentContext } from "../../core/coding-agent.ts";
import { realPath } from "../../platform/files/real-path.ts";
import { type AgentProgram, agentPackageFolders, findCommand, findPackage, importPackage } from "./agent-packages.ts";

interface Places {
  /** Contains the others. */
  readonly at: string;
  readonly context: AgentContext;
}

function places(changes: Partial<AgentContext> = {}): Places {
  const at = realPath(temporary()) as string;
  const root = join(at, "project");
  const directory = join(root, "packages/app");
  mkdirSync(directory, { recursive: true });
  const context: AgentContext = {
    directory,
    root,
    trusted: true,
    home: join(at, "home"),
    toolwrightHome: join(at, "home/.toolwright"),
    env: { PATH: join(at, "bin"), HOME: join(at, "home"), npm_config_prefix: join(at, "global") },
    modules: join(at, "agents"),
    programs: {},
  };
  return { at, context: { ...context, ...changes } };
}

function without<K extends keyof AgentContext>(context: AgentContext, key: K): Omit<AgentContext, K> {
  const { [key]: _, ...rest } = context;
  return rest;
}

/** Writes a package that exports where it is. Returns its folder. */
function putSdk(folder: string, version = "1.2.3", more: object = {}): string {
  put(join(folder, "package.json"), JSON.stringify({ name: "x", version, type: "module", exports: "./a.js", ...more }));
  put(join(folder, "a.js"), "export const url = import.meta.url;");
  return folder;
}

function putProgram(file: string): string {
  put(file, "#!/bin/sh\n");
  chmodSync(file, 0o755);
  return file;
}

const SDK = { module: "@vendor/sdk", install: "@vendor/sdk@1" };
const AGENT: AgentProgram = { name: "pal", program: "pal-acp", args: ["--acp"], install: "pal-acp@2" };
const GLOBAL = process.platform === "win32" ? "global/node_modules" : "global/lib/node_modules";

describe("[G1] where SDKs of agents are found", () => {
  it("in the order: agents.modules, the project from the directory to its root, beside Toolwright, the global folder", () => {
    const { at, context } = places();
    const folders = agentPackageFolders(context);
    const own = join(dirname(dirname(import.meta.dirname)), "node_modules");
    const at_ = (path: string): number => folders.indexOf(path.startsWith("/") ? path : join(at, path));
    const order = [
      "agents/node_modules",
      "project/packages/app/node_modules",
      "project/packages/node_modules",
      "project/node_modules",
      own,
      GLOBAL,
    ].map(at_);
    expect(order[0]).toBe(0);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
    expect(at_("node_modules")).toBe(-1);
    expect(new Set(folders).size).toBe(folders.length);
  });

  it("the first folder that has the package decides", async () => {
    const { at, context } = places();
    const found = [GLOBAL, "project/node_modules", "project/packages/app/node_modules", "agents/node_modules"].map(
      (folder, index) => {
        const sdk = putSdk(join(at, folder, "@vendor/sdk"), `${index}.0.0`);
        expect(findPackage("@vendor/sdk", context)).toEqual({ folder: sdk, version: `${index}.0.0` });
        return sdk;
      },
    );
    const { url } = await importPackage<{ url: string }>(SDK, context);
    expect(url).toContain(found[3]);
  });

  it("[D7] packages of an untrusted project are not used, also not if npm's prefix is in it", () => {
    const { at, context } = places({ trusted: false });
    putSdk(join(at, "project/node_modules/@vendor/sdk"));
    putSdk(join(at, "project/packages/app/node_modules/@vendor/sdk"));
    putSdk(join(at, "project", GLOBAL, "@vendor/sdk"));
    symlinkSync(join(at, "project/node_modules"), join(at, "linked"));
    mkdirSync(join(at, "global/lib"), { recursive: true });
    symlinkSync(join(at, "project/node_modules"), join(at, GLOBAL));
    for (const npm_config_prefix of [join(at, "project/global"), join(at, "global"), relative(process.cwd(), at)]) {
      const env = { ...context.env, npm_config_prefix };
      expect(findPackage("@vendor/sdk", { ...context, env })).toBeUndefined();
    }
    // The user's settings may name any folder.
    expect(findPackage("@vendor/sdk", { ...context, modules: join(at, "project") })).toBeDefined();
  });

  it.each<[string, string]>([
    ["prefix=~/npm-global", "home/npm-global"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: npm replaces it.
    ["registry=https://x\nprefix = ${HOME}/npm-global\n", "home/npm-global"],
    ['prefix="AT/elsewhere"', "elsewhere"],
  ])("the global folder can be set in ~/.npmrc: %s", (text, prefix) => {
    const { at, context } = places();
    put(join(at, "home/.npmrc"), text.replace("AT", at));
    const sdk = putSdk(join(at, prefix, process.platform === "win32" ? "" : "lib", "node_modules/@vendor/sdk"));
    const { npm_config_prefix: _, ...env } = context.env;
    expect(findPackage("@vendor/sdk", { ...context, env })?.folder).toBe(sdk);
  });

  it.skipIf(process.platform === "win32")("the global folder is that of the npm on PATH", () => {
    const { at, context } = places();
    putProgram(join(at, "node/bin/npm"));
    const sdk = putSdk(join(at, "node/lib/node_modules/@vendor/sdk"));
    const env = { PATH: join(at, "node/bin") };
    expect(findPackage("@vendor/sdk", { ...context, env })?.folder).toBe(sdk);
    // An npm in an untrusted project does not hide the user's.
    putProgram(join(at, "project/node_modules/.bin/npm"));
    const both = { PATH: [join(at, "project/node_modules/.bin"), join(at, "node/bin")].join(delimiter) };
    expect(findPackage("@vendor/sdk", { ...context, env: both, trusted: false })?.folder).toBe(sdk);
  });
});

describe("[G1] importing an SDK", () => {
  it.each<[string, object, Record<string, string>]>([
    ["only for import", { exports: { ".": { import: "./b.js" } } }, { "b.js": "export const ok = 1;" }],
    [
      "a condition inside another",
      { exports: { ".": { node: { import: "./b.js" }, browser: "./no.js" } } },
      { "b.js": "export const ok = 1;" },
    ],
    [
      "types first",
      { exports: { ".": { types: "./b.d.ts", require: "./no.cjs", import: "./b.js" } } },
      { "b.js": "export const ok = 1;", "b.d.ts": "" },
    ],
    ["only main", { exports: undefined, main: "./lib/b.js" }, { "lib/b.js": "export const ok = 1;" }],
    ["neither exports nor main", { exports: undefined }, { "index.js": "export const ok = 1;" }],
    [
      "CommonJS, with a field for bundlers",
      { exports: undefined, type: "commonjs", main: "b.js", module: "no.js" },
      { "b.js": "exports.ok = 1;", "no.js": "export const ok = 2;" },
    ],
  ])("%s", async (_, json, files) => {
    const { at, context } = places();
    const folder = putSdk(join(at, "agents/node_modules/@vendor/sdk"), "1.0.0", json);
    for (const [name, text] of Object.entries(files)) put(join(folder, name), text);
    expect((await importPackage<{ ok: number }>(SDK, context)).ok).toBe(1);
  });

  it("a module of the package", async () => {
    const { at, context } = places();
    const exports = { ".": "./a.js", "./deep/*": "./lib/*.js" };
    const folder = putSdk(join(at, "agents/node_modules/@vendor/sdk"), "1.0.0", { exports });
    put(join(folder, "lib/thing.js"), "export const ok = 1;");
    const sdk = { module: "@vendor/sdk/deep/thing", install: "x" };
    expect((await importPackage<{ ok: number }>(sdk, context)).ok).toBe(1);
  });

  it("through links: a linked node_modules, a linked package, and the layout of pnpm with its own dependencies", async () => {
    const uses = { exports: "./b.js" };
    const code = 'export { url } from "dependency";';

    const linked = places();
    const real = putSdk(join(linked.at, "elsewhere/node_modules/@vendor/sdk"));
    mkdirSync(join(linked.at, "agents"));
    symlinkSync(join(linked.at, "elsewhere/node_modules"), join(linked.at, "agents/node_modules"));
    expect(findPackage("@vendor/sdk", linked.context)?.folder).toBe(real);
    expect((await importPackage<{ url: string }>(SDK, linked.context)).url).toContain(real);

    const clone = places();
    const source = putSdk(join(clone.at, "my-clone-of-it"));
    mkdirSync(join(clone.at, "agents/node_modules/@vendor"), { recursive: true });
    symlinkSync(source, join(clone.at, "agents/node_modules/@vendor/sdk"));
    expect((await importPackage<{ url: string }>(SDK, clone.context)).url).toContain(source);

    const pnpm = places();
    const store = join(pnpm.at, "agents/node_modules/.pnpm");
    const sdk = putSdk(join(store, "@vendor+sdk@1.2.3/node_modules/@vendor/sdk"), "1.2.3", uses);
    put(join(sdk, "b.js"), code);
    const dependency = putSdk(join(store, "dependency@1.0.0/node_modules/dependency"));
    symlinkSync(dependency, join(store, "@vendor+sdk@1.2.3/node_modules/dependency"));
    mkdirSync(join(pnpm.at, "agents/node_modules/@vendor"));
    symlinkSync(sdk, join(pnpm.at, "agents/node_modules/@vendor/sdk"));
    expect((await importPackage<{ url: string }>(SDK, pnpm.context)).url).toContain(dependency);
  });

  it.each<[string, (at: string) => void]>([
    ["no folder", () => {}],
    ["node_modules is a file", (at) => put(join(at, "agents/node_modules"), "x")],
    ["the package is a file", (at) => put(join(at, "agents/node_modules/@vendor/sdk"), "x")],
    ["an empty folder", (at) => mkdirSync(join(at, "agents/node_modules/@vendor/sdk"), { recursive: true })],
    [
      "a broken link",
      (at) => {
        mkdirSync(join(at, "agents/node_modules/@vendor"), { recursive: true });
        symlinkSync(join(at, "gone"), join(at, "agents/node_modules/@vendor/sdk"));
      },
    ],
    ["a link to itself", (at) => symlinkSync(join(at, "agents"), join(at, "agents"))],
  ])("a package that is not installed: %s", async (_, prepare) => {
    const { at, context } = places();
    prepare(at);
    await expect(importPackage(SDK, context)).rejects.toMatchObject({
      code: "not_installed",
      message: `The package @vendor/sdk is not installed. Install it: npm install --prefix ${at}/agents @vendor/sdk@1`,
    });
    await expect(importPackage(SDK, without(context, "modules"))).rejects.toMatchObject({
      message: "The package @vendor/sdk is not installed. Install it: npm install --global @vendor/sdk@1",
    });
  });

  it("the command quotes the folder, and can be one of another installer", async () => {
    const modules = "/my agents";
    await expect(importPackage(SDK, places({ modules }).context)).rejects.toThrow(
      "--prefix '/my agents' @vendor/sdk@1",
    );
    const install = { command: "brew install pal" };
    expect(() => findCommand({ ...AGENT, install }, places().context)).toThrow(
      'The program "pal-acp" is not installed. Install it: brew install pal',
    );
  });

  it.each<[string, Record<string, string>, string]>([
    ["it throws", { "a.js": 'throw new Error("no GPU")' }, " 1.2.3 in FOLDER cannot be loaded: no GPU."],
    [
      "an entry that does not exist",
      { "package.json": '{ "version": "2.0.0", "exports": "./gone.js" }' },
      " 2.0.0 in ",
    ],
    [
      "an export that does not exist",
      { "package.json": '{ "version": "2.0.0", "exports": { "./x": "./a.js" } }' },
      " 2.0.0",
    ],
    ["package.json is not JSON", { "package.json": "{" }, " in FOLDER cannot be loaded: "],
    ["package.json is a list", { "package.json": "[]", "index.js": "(" }, " in FOLDER cannot be loaded: "],
    ["a syntax error", { "a.js": "export const = 1" }, " 1.2.3 in FOLDER cannot be loaded: "],
    ["a dependency that is missing", { "a.js": 'import "not-there"' }, " 1.2.3 in FOLDER cannot be loaded: "],
    ["it throws undefined", { "a.js": "throw undefined" }, " 1.2.3 in FOLDER cannot be loaded: "],
  ])("a broken package is an error that names it: %s", async (_, files, message) => {
    const { at, context } = places();
    const folder = putSdk(join(at, "agents/node_modules/@vendor/sdk"));
    putSdk(join(at, "project/node_modules/@vendor/sdk"));
    for (const [name, text] of Object.entries(files)) put(join(folder, name), text);
    const error = await importPackage(SDK, context).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "not_started" });
    const text = (error as Error).message;
    expect(text).toContain(`The package @vendor/sdk${message.replace("FOLDER", folder)}`);
    expect(text).toMatch(/\. Install it again: npm install --prefix \S+ @vendor\/sdk@1$/);
  });
});

describe.skipIf(process.platform === "win32")("[G9] where programs of agents are found", () => {
  it("in agents.programs, then in the folders of packages, then on PATH", () => {
    const { at, context } = places();
    expect(() => findCommand(AGENT, context)).toThrow(
      `The program "pal-acp" is not installed. Install it: npm install --prefix ${at}/agents pal-acp@2`,
    );
    for (const folder of ["bin", "global/bin", "project/node_modules/.bin", "agents/node_modules/.bin"]) {
      const program = putProgram(join(at, folder, "pal-acp"));
      expect(findCommand(AGENT, context)).toEqual([program, "--acp"]);
    }
    const program = putProgram(join(at, "own/pal"));
    expect(findCommand(AGENT, { ...context, programs: { pal: [program, "serve"] } })).toEqual([program, "serve"]);
  });

  it.each([[".bin"], [".bin/"], ["../node_modules/.bin"]])(
    "[X1] programs of an untrusted project are not used, also not through PATH: node_modules/%s",
    (bin) => {
      const { at, context } = places({ trusted: false });
      putProgram(join(at, "project/node_modules/.bin/pal-acp"));
      symlinkSync(join(at, "project/node_modules/.bin"), join(at, "bin"));
      mkdirSync(join(at, "links"));
      symlinkSync(join(at, "project/node_modules/.bin/pal-acp"), join(at, "links/pal-acp"));
      const PATH = [`${at}/project/node_modules/${bin}`, join(at, "bin"), join(at, "links"), ".", ""].join(delimiter);
      const env = { ...context.env, PATH, npm_config_prefix: join(at, "project") };
      expect(() => findCommand(AGENT, { ...context, env })).toThrow("is not installed");
      expect(() => findCommand(AGENT, { ...context, env, programs: { pal: ["pal-acp"] } })).toThrow("is not on PATH");
      const program = putProgram(join(at, "good/pal-acp"));
      const good = { ...env, PATH: PATH + delimiter + join(at, "good") };
      expect(findCommand(AGENT, { ...context, env: good })).toEqual([program, "--acp"]);
      expect(findCommand(AGENT, { ...context, env, trusted: true })[0]).toContain("project/node_modules");
    },
  );

  it("under other names, the first name first in each folder", () => {
    const { at, context } = places();
    const agent = { ...AGENT, aliases: ["pal-acp-linux"] };
    const other = putProgram(join(at, "bin/pal-acp-linux"));
    expect(findCommand(agent, context)).toEqual([other, "--acp"]);
    const program = putProgram(join(at, "bin/pal-acp"));
    expect(findCommand(agent, context)).toEqual([program, "--acp"]);
    const nearer = putProgram(join(at, "agents/node_modules/.bin/pal-acp-linux"));
    expect(findCommand(agent, context)).toEqual([nearer, "--acp"]);
  });

  it("files that are not programs are skipped", () => {
    const { at, context } = places();
    put(join(at, "agents/node_modules/.bin/pal-acp"), "no execute permission");
    mkdirSync(join(at, "project/node_modules/.bin/pal-acp"), { recursive: true });
    const program = putProgram(join(at, "bin/pal-acp"));
    expect(findCommand(AGENT, context)).toEqual([program, "--acp"]);
  });

  it("a configured program may be a name on PATH; one that is missing is an error that names the setting", () => {
    const { at, context } = places();
    const program = putProgram(join(at, "bin/my-pal"));
    expect(findCommand(AGENT, { ...context, programs: { pal: ["my-pal", "acp"] } })).toEqual([program, "acp"]);
    const correct = 'It is set by "agents.programs.pal" in your settings: correct it there, or install the program.';
    expect(() => findCommand(AGENT, { ...context, programs: { pal: ["gone"] } })).toThrow(
      `The program "gone" is not on PATH. ${correct}`,
    );
    expect(() => findCommand(AGENT, { ...context, programs: { pal: [join(at, "gone")] } })).toThrow(
      `The program "${at}/gone" does not exist or is not executable. ${correct}`,
    );
  });
});
