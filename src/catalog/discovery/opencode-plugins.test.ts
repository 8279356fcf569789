import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { found, problems, project, run } from "../../../test/support/discovered.ts";
import { put, temporary } from "../../../test/support/temporary.ts";

const CONFIG = "repo/opencode.json";
const PLUGIN = "export const P = async () => ({});";

describe("plugin folders of OpenCode", () => {
  it("[D1] hold files, folders with an index file, and packages", () => {
    const root = project({
      "repo/.opencode/plugin/one.ts": PLUGIN,
      "repo/.opencode/plugin/two/index.js": PLUGIN,
      "repo/.opencode/plugin/helpers/format.ts": "",
      "repo/.opencode/plugins/three/package.json": { main: "dist/main" },
      "repo/.opencode/plugins/three/dist/main.js": PLUGIN,
      "repo/.opencode/plugins/four/package.json": { exports: { "./server": { import: "./server.ts" }, ".": "./x.ts" } },
      "repo/.opencode/plugins/four/server.ts": PLUGIN,
      "repo/.opencode/plugins/four/x.ts": PLUGIN,
      "repo/.opencode/plugins/five/package.json": { main: "not-built.js" },
      "repo/.opencode/plugins/five/index.ts": PLUGIN,
      "repo/.opencode/plugins/six/package.json": { main: "../../../../outside.js" },
      "outside.js": PLUGIN,
      "home/.config/opencode/plugins/mine.ts": PLUGIN,
      "home/.opencode/plugin/mine-too.ts": PLUGIN,
    });
    expect(found(root)).toEqual([
      "project repo/.opencode/plugin/one.ts one !",
      "project repo/.opencode/plugin/two/index.js two !",
      "project repo/.opencode/plugins/five/index.ts five !",
      "project repo/.opencode/plugins/four/server.ts four !",
      "project repo/.opencode/plugins/three/dist/main.js three !",
      "global home/.config/opencode/plugins/mine.ts mine",
      "global home/.opencode/plugin/mine-too.ts mine-too",
    ]);
    expect(problems(root)).toEqual([]);
  });

  it("[D7] block the project's plugins until it is trusted, and not the user's", () => {
    const root = project({
      [CONFIG]: { plugin: ["./local.ts", "acme", "../elsewhere.ts", "cached", "not-installed"] },
      "repo/local.ts": PLUGIN,
      "elsewhere.ts": PLUGIN,
      "repo/.opencode/plugin/one.ts": PLUGIN,
      "repo/node_modules/acme/package.json": { main: "index.js" },
      "repo/node_modules/acme/index.js": PLUGIN,
      "home/.cache/opencode/packages/cached@latest/node_modules/cached/package.json": { main: "index.js" },
      "home/.cache/opencode/packages/cached@latest/node_modules/cached/index.js": PLUGIN,
      "home/.config/opencode/plugins/mine.ts": PLUGIN,
    });
    expect(found(root, { trust: false })).toEqual(["global home/.config/opencode/plugins/mine.ts mine"]);
    expect(
      run(root, { trust: false }).blocked.flatMap(({ files }) => files.map((file) => file.slice(root.length + 1))),
    ).toEqual([
      "repo/local.ts",
      "repo/.opencode/plugin/one.ts",
      "repo/node_modules/acme/index.js",
      "home/.cache/opencode/packages/cached@latest/node_modules/cached/index.js",
    ]);
    expect(problems(root, { trust: false })).toEqual([
      "elsewhere.ts: unreadable ROOT/repo/opencode.json names this plugin, which is outside the project. It is not loaded before the project is trusted. If you want it, run: toolwright trust --cwd ROOT/repo",
    ]);
    expect(found(root)).toContain("project elsewhere.ts elsewhere !");
  });

  it("[D7] of an untrusted project do not change how the user's folders and plugins are read", () => {
    const root = project({
      [CONFIG]: {
        plugin: [
          ["~/.toolwright/tools", { mine: false }],
          ["~/.config/opencode/plugin", { mine: false }],
          ["~/guard.ts", { mine: false }],
          "-guard",
        ],
      },
      "home/.toolwright/tools/a.ts": PLUGIN,
      "home/.config/opencode/plugin/b.ts": PLUGIN,
      "home/.config/opencode/opencode.json": { plugin: [["~/guard.ts", { mine: true }]] },
      "home/guard.ts": PLUGIN,
    });
    mkdirSync(join(root, "repo/.kilo"));
    symlinkSync(join(root, "home/.toolwright/tools"), join(root, "repo/.kilo/plugin"));
    const config = join(root, "home/.config/opencode/opencode.json");
    expect(
      run(root, { trust: false }).files.map(({ name, location: { kind, system, opencodePlugin } }) => [
        `${name} ${kind} ${system}`,
        opencodePlugin,
      ]),
    ).toEqual([
      ["a global toolwright", undefined],
      ["guard global opencode", { options: { mine: true }, disabled: [], configs: [config] }],
      ["b global opencode", { options: {}, disabled: [], configs: [] }],
    ]);
  });

  it("[D7] of an untrusted project are looked up only inside it", () => {
    const root = project({
      [CONFIG]: { plugin: ["./linked", "./gone/../../missing.ts", "./absolute", "./inside"] },
      "repo/absolute/package.json": { main: join(temporary(), "outside.js") },
      "repo/inside/package.json": { main: "lib/../main.js" },
      "repo/inside/main.js": PLUGIN,
      "elsewhere.ts": PLUGIN,
    });
    symlinkSync(join(root, "elsewhere.ts"), join(root, "repo/linked.ts"));
    const outside =
      "ROOT/repo/opencode.json names this plugin, which is outside the project. It is not loaded before the project is trusted. If you want it, run: toolwright trust --cwd ROOT/repo";
    const found = run(root, { trust: false });
    expect(found.blocked.flatMap(({ files }) => files)).toEqual([join(root, "repo/inside/main.js")]);
    expect(found.possible).not.toContain(join(root, "missing.ts"));
    expect(problems(root, { trust: false })).toEqual([
      `repo/linked.ts: unreadable ${outside}`,
      `missing.ts: unreadable ${outside}`,
      expect.stringMatching(
        /^repo\/opencode\.json:1 plugin_failed "plugin" names the folder ROOT\/repo\/absolute, which has no/,
      ),
    ]);
  });

  it("[D5] are read up to a maximum", () => {
    const root = project({ [CONFIG]: { plugin: Array.from({ length: 100_000 }, (_, index) => `gone-${index}`) } });
    const [first, ...others] = problems(root);
    expect(first).toBe(
      'repo/opencode.json:1 plugin_failed "plugin" has 100000 entries. Only the first 200 are read. Remove some.',
    );
    expect(others).toHaveLength(200);
  });

  it("[D5] cannot have options that are nested too deeply to be sent to the host", () => {
    const options = `{ "x": ${"[".repeat(20_000)}${"]".repeat(20_000)} }`;
    const root = project({ [CONFIG]: `{ "plugin": [["./local.ts", ${options}]] }`, "repo/local.ts": PLUGIN });
    expect(found(root)).toEqual([]);
    expect(run(root).problems).toMatchObject([
      { message: 'An entry of "plugin" has options that are nested more than 100 levels deep. Correct it.' },
    ]);
  });

  it("[D5] may be nested deeply in a config file or a manifest", () => {
    const nested = (open: string, close: string): string => `${open.repeat(20_000)}"./x.js"${close.repeat(20_000)}`;
    const root = project({
      [CONFIG]: `{ "plugin": ["./deep", "gone"], "other": ${nested("[", "]")} }`,
      "repo/deep/package.json": `{ "exports": ${nested('{"import":', "}")} }`,
    });
    expect(run(root).problems).toMatchObject([
      { code: "plugin_failed", message: expect.stringContaining("has no file to load") },
      { code: "plugin_failed", message: expect.stringContaining("not installed") },
    ]);
  });

  it("[D7] reads no config file of an untrusted project through a link out of it", () => {
    const root = project({ "other.json": { plugin: ["/etc/passwd.ts"] } });
    symlinkSync(join(root, "other.json"), join(root, CONFIG));
    expect(problems(root, { trust: false })).toEqual([
      "repo/opencode.json: unreadable It is not read: it leads out of the project, to ROOT/other.json, and the project is not trusted. If the link is yours, run: toolwright trust",
    ]);
  });
});

describe("entries of opencode.json", () => {
  const ACME = {
    "repo/node_modules/acme/package.json": {
      version: "1.2.3",
      exports: { ".": { types: "./x.d.ts", import: "./a.mjs" } },
    },
    "repo/node_modules/acme/a.mjs": PLUGIN,
  };
  const LOCAL = { "repo/local.ts": PLUGIN };

  it.each<[unknown, Record<string, unknown>, string, string]>([
    ["./local.ts", LOCAL, CONFIG, "project repo/local.ts local !"],
    ["./local", LOCAL, CONFIG, "project repo/local.ts local !"],
    ["../local.ts", LOCAL, "repo/.opencode/opencode.jsonc", "project repo/local.ts local !"],
    ["./dir", { "repo/dir/index.ts": PLUGIN }, CONFIG, "project repo/dir/index.ts dir !"],
    [
      "./dir",
      { "repo/dir/package.json": { main: "./m.js" }, "repo/dir/m.js": PLUGIN },
      CONFIG,
      "project repo/dir/m.js m !",
    ],
    ["~/mine.ts", { "home/mine.ts": PLUGIN }, "home/.config/opencode/opencode.json", "global home/mine.ts mine"],
    ["acme", ACME, CONFIG, "package repo/node_modules/acme/a.mjs acme !"],
    ["acme@^1.0.0", ACME, CONFIG, "package repo/node_modules/acme/a.mjs acme !"],
    [{ package: "acme" }, ACME, CONFIG, "package repo/node_modules/acme/a.mjs acme !"],
    [["acme", { x: 1 }], ACME, CONFIG, "package repo/node_modules/acme/a.mjs acme !"],
    [
      "@team/plug@latest",
      {
        "repo/.opencode/node_modules/@team/plug/index.js": PLUGIN,
        "repo/.opencode/node_modules/@team/plug/package.json": {},
      },
      CONFIG,
      "package repo/.opencode/node_modules/@team/plug/index.js plug !",
    ],
    [
      "mine",
      {
        "home/.config/opencode/node_modules/mine/package.json": {},
        "home/.config/opencode/node_modules/mine/index.js": PLUGIN,
      },
      "home/.config/opencode/opencode.json",
      "package home/.config/opencode/node_modules/mine/index.js mine",
    ],
    ...["mine@latest", "mine", "mine@2"].map((folder): [unknown, Record<string, unknown>, string, string] => {
      const at = `home/.cache/opencode/packages/${folder}/node_modules/mine`;
      const spec = folder === "mine@2" ? folder : "mine";
      const files = { [`${at}/package.json`]: {}, [`${at}/index.js`]: PLUGIN };
      return [spec, files, "home/.config/opencode/opencode.json", `package ${at}/index.js mine`];
    }),
    [
      "mine",
      {
        "home/.cache/opencode/node_modules/mine/package.json": {},
        "home/.cache/opencode/node_modules/mine/index.js": PLUGIN,
      },
      "home/.config/opencode/config.json",
      "package home/.cache/opencode/node_modules/mine/index.js mine",
    ],
    [
      "github:me/plug",
      {
        "home/.cache/opencode/packages/github:me/plug/package.json": { dependencies: { "my-plug": "*" } },
        "home/.cache/opencode/packages/github:me/plug/node_modules/my-plug/package.json": {},
        "home/.cache/opencode/packages/github:me/plug/node_modules/my-plug/index.js": PLUGIN,
      },
      "home/.config/opencode/opencode.json",
      "package home/.cache/opencode/packages/github:me/plug/node_modules/my-plug/index.js plug",
    ],
  ])("[D1] %j", (entry, files, config, expected) => {
    for (const key of ["plugin", "plugins"]) {
      const root = project({ ...files, [config]: { [key]: [entry] } });
      expect(found(root)).toEqual([expected]);
      expect(problems(root)).toEqual([]);
    }
  });

  it("[D1] may be URLs and absolute paths, with variables", () => {
    const root = project(LOCAL);
    const file = join(root, "repo/local.ts");
    for (const entry of [pathToFileURL(file).href, file, "file://./local.ts", "{env:PLUGIN}"]) {
      put(join(root, CONFIG), JSON.stringify({ plugin: [entry] }));
      expect(found(root, { env: { PLUGIN: file } })).toEqual(["project repo/local.ts local !"]);
    }
  });

  it("[D1] pass options, also to a file in a plugin folder", () => {
    const root = project({
      [CONFIG]: {
        plugin: [["./.opencode/plugin/one.ts", { a: 1 }]],
        plugins: ["-off", { package: "acme", options: { b: 2 } }],
      },
      "repo/.opencode/plugin/one.ts": PLUGIN,
      "repo/.opencode/plugin/two.ts": PLUGIN,
      ...ACME,
    });
    const config = join(root, CONFIG);
    expect(run(root).files.map(({ name, location }) => [name, location.opencodePlugin])).toEqual([
      ["one", { options: { a: 1 }, disabled: ["off"], configs: [config] }],
      ["two", { options: {}, disabled: ["off"], configs: [config] }],
      ["acme", { options: { b: 2 }, disabled: ["off"], configs: [config] }],
    ]);
    expect(run(root).watched).toContain(config);
  });

  it("[D7] of a project do not turn off the user's plugins", () => {
    const root = project({
      [CONFIG]: { plugins: ["-guard", "-acme", "acme"] },
      "home/.config/opencode/opencode.json": { plugins: ["-mine"] },
      "home/.config/opencode/plugins/guard.ts": PLUGIN,
      ...ACME,
    });
    expect(run(root).files.map(({ name, location }) => [name, location.opencodePlugin?.disabled])).toEqual([
      ["guard", ["mine"]],
    ]);
  });

  it("[D5] a text in place of the list is a problem", () => {
    const root = project({ [CONFIG]: { plugin: "./guard.ts" } });
    expect(problems(root)).toEqual([
      'repo/opencode.json:1 plugin_failed "plugin" is a text. Write a list: ["./guard.ts"].',
    ]);
  });

  it.each<[unknown, string]>([
    [
      "acme",
      'repo/opencode.json:1 plugin_failed "plugin" names the package "acme", which is not installed. Start OpenCode, which installs it, or run: npm install --prefix ROOT/repo/.opencode acme',
    ],
    [
      "local.ts",
      'repo/opencode.json:1 plugin_failed "plugin" names the package "local.ts", which is not installed. If it is a file, write "./local.ts". Start OpenCode, which installs it, or run: npm install --prefix ROOT/repo/.opencode local.ts',
    ],
    [
      "./gone.ts",
      'repo/gone.ts: unreadable There is no such file or folder. It is named by "plugin" in ROOT/repo/opencode.json. Correct the path there, or create it.',
    ],
    [
      "./empty",
      'repo/opencode.json:1 plugin_failed "plugin" names the folder ROOT/repo/empty, which has no file to load: neither "exports" or "main" in its package.json nor index.ts or index.js names one. Build it, or correct the entry.',
    ],
    [
      5,
      'repo/opencode.json:1 plugin_failed An entry of "plugin" is neither a name, nor a path, nor an object with "package". Correct it.',
    ],
    [
      "file://%",
      'repo/opencode.json:1 plugin_failed An entry of "plugin" names "file://%", which is not the URL of a file. Correct it.',
    ],
  ])("[D5] %j is a problem that says what to do", (entry, expected) => {
    const root = project({ [CONFIG]: { plugin: [entry] }, "repo/empty/readme.md": "" });
    expect(problems(root)).toEqual([expected]);
  });

  it("[D5] a config file that does not parse is a problem", () => {
    const root = project({ [CONFIG]: '{ "plugin": [' });
    expect(problems(root)[0]).toMatch(
      /^repo\/opencode\.json:1 syntax This is not valid JSON \(.*\), so its plugins are not loaded\. Correct it\.$/,
    );
  });

  it("ignore packages that are part of OpenCode, have only a terminal interface, or are Toolwright itself", () => {
    const root = project({
      [CONFIG]: { plugin: ["opencode-copilot-auth@0.0.5", "themes", "tui", "toolwright"] },
      "repo/node_modules/themes/package.json": { "oc-themes": ["a.json"] },
      "repo/node_modules/tui/package.json": { exports: { "./tui": "./t.js" } },
      "repo/node_modules/toolwright/package.json": { main: "index.js" },
      "repo/node_modules/toolwright/index.js": "",
    });
    expect([found(root), problems(root)]).toEqual([[], []]);
  });
});
