import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { found, problems, project, run } from "../../../test/support/discovered.ts";
import { EXTENSION_FILE } from "../../core/agent-extension.ts";

const CONFIG = "repo/.pi/settings.json";
const USER = "home/.pi/agent/settings.json";
const EXTENSION = "export default () => {};";

const paths = (root: string, options = {}): string[] => found(root, options).map((line) => line.split(" ")[1] ?? "");

describe('"extensions" in settings files of pi', () => {
  const FILES = {
    "repo/ext/hello.ts": EXTENSION,
    "repo/ext/other.js": EXTENSION,
    "repo/ext/other.test.ts": "",
    "repo/ext/sub/index.ts": EXTENSION,
    "repo/ext/sub/helper.ts": "",
    "repo/ext/packed/package.json": { pi: { extensions: ["./src/main.ts", "./src/second.ts", "./missing.ts"] } },
    "repo/ext/packed/src/main.ts": EXTENSION,
    "repo/ext/packed/src/second.ts": EXTENSION,
    "home/mine.ts": EXTENSION,
  };
  const SUB = ["repo/ext/packed/src/main.ts", "repo/ext/packed/src/second.ts"];
  const ALL = ["repo/ext/hello.ts", "repo/ext/other.js", "repo/ext/sub/index.ts", ...SUB];

  it.each<[readonly string[], readonly string[]]>([
    [["../ext/hello.ts"], ["repo/ext/hello.ts"]],
    [[" ../ext/hello.ts "], ["repo/ext/hello.ts"]],
    [["../ext/hello.ts", "./../ext/hello.ts"], ["repo/ext/hello.ts"]],
    [["../ext"], ALL],
    [["../ext/"], ALL],
    [["../ext/sub"], ["repo/ext/sub/index.ts"]],
    [["../ext/packed"], SUB],
    [["~/mine.ts"], ["home/mine.ts"]],
    [["../ext", "!**/hello.ts"], ALL.slice(1)],
    [["../ext", "!hello.ts", "!*.js"], ALL.slice(2)],
    [["../ext", "!../ext/**"], []],
    [["../ext", "!../ext/**", "+../ext/hello.ts"], ["repo/ext/hello.ts"]],
    [["../ext", "+../ext/hello.ts", "-../ext/hello.ts"], ALL.slice(1)],
    [["../ext", "../ext/*.ts"], ["repo/ext/hello.ts"]],
    // As in pi, a pattern only selects among the files of other entries.
    [["../ext/*.ts"], []],
    [[], []],
  ])("[D1] %j", (extensions, expected) => {
    const root = project({ ...FILES, [CONFIG]: { extensions } });
    expect(paths(root).sort()).toEqual([...expected].sort());
    expect(problems(root)).toEqual([]);
  });

  it("[D1] may be absolute paths and URLs, and come before the folders; each file is loaded once", () => {
    const root = project({
      ...FILES,
      "repo/.pi/extensions/auto.ts": EXTENSION,
      "repo/.pi/extensions/zero.ts": EXTENSION,
      "repo/deep/.pi/settings.json": { extensions: ["../ext.ts"] },
      "repo/deep/ext.ts": EXTENSION,
      "home/.pi/agent/extensions/auto.ts": EXTENSION,
      [USER]: { extensions: ["../../mine.ts", "extensions/auto.ts"] },
    });
    const url = pathToFileURL(join(root, "repo/ext/hello.ts")).href;
    const extensions = [url, join(root, "repo/ext/other.js"), "extensions/zero.ts", "./extensions"];
    const config = project({ [CONFIG]: { extensions } });
    symlinkSync(join(config, CONFIG), join(root, CONFIG));
    expect(found(root, { cwd: join(root, "repo/deep") })).toEqual([
      "project repo/deep/ext.ts ext !",
      "project repo/ext/hello.ts hello !",
      "project repo/ext/other.js other !",
      "project repo/.pi/extensions/zero.ts zero !",
      "project repo/.pi/extensions/auto.ts auto !",
      "global home/mine.ts mine",
      "global home/.pi/agent/extensions/auto.ts auto",
    ]);
  });

  it("[D1] need not name packages in the folder beside them", () => {
    const root = project({
      "repo/.pi/extensions/packed/package.json": { pi: { extensions: ["src/a.ts", "src/b.ts"] } },
      "repo/.pi/extensions/packed/src/a.ts": EXTENSION,
      "repo/.pi/extensions/packed/src/b.ts": EXTENSION,
      "repo/.pi/extensions/plain/package.json": { main: "x.js" },
      "repo/.pi/extensions/plain/index.ts": EXTENSION,
    });
    expect(paths(root)).toEqual([
      "repo/.pi/extensions/packed/src/a.ts",
      "repo/.pi/extensions/packed/src/b.ts",
      "repo/.pi/extensions/plain/index.ts",
    ]);
  });

  it("[D1] turn off files of the folder beside them, and of no other folder", () => {
    const root = project({
      "repo/.pi/extensions/a.ts": EXTENSION,
      "repo/.pi/extensions/b.ts": EXTENSION,
      "repo/.pi/extensions/c/index.ts": EXTENSION,
      "home/.pi/agent/extensions/a.ts": EXTENSION,
      "home/.pi/agent/extensions/guard.ts": EXTENSION,
      [CONFIG]: { extensions: ["-extensions/a.ts", "!**/c/index.ts", "!**/guard.ts"] },
      [USER]: { extensions: ["-extensions/a.ts"] },
    });
    expect(paths(root)).toEqual(["repo/.pi/extensions/b.ts", "home/.pi/agent/extensions/guard.ts"]);
  });

  it("[D1] are read where $PI_CODING_AGENT_DIR points, which does not make files of the project trusted", () => {
    const root = project({
      "agent/settings.json": { extensions: ["x.ts"] },
      "agent/x.ts": EXTENSION,
      "repo/agent/settings.json": { extensions: ["x.ts"] },
      "repo/agent/x.ts": EXTENSION,
      [USER]: { extensions: ["nothing.ts"] },
    });
    const at = (folder: string) => ({ env: { PI_CODING_AGENT_DIR: join(root, folder) }, trust: false });
    expect(found(root, at("agent"))).toEqual(["global agent/x.ts x"]);
    expect(found(root, at("repo/agent"))).toEqual([]);
    expect(run(root, at("repo/agent")).blocked[0]?.files).toEqual([join(root, "repo/agent/x.ts")]);
  });

  it("[D2] skips the extension file of Toolwright", () => {
    const root = project({
      [`repo/ext/${EXTENSION_FILE}`]: EXTENSION,
      [CONFIG]: { extensions: [`../ext/${EXTENSION_FILE}`, "../ext"], packages: [`../ext/${EXTENSION_FILE}`] },
    });
    expect([paths(root), problems(root)]).toEqual([[], []]);
  });

  it("[D5] reports entries that are wrong, with their line", () => {
    const root = project({
      [CONFIG]: '{\n  "extensions": [\n    "../gone.ts",\n    7,\n    "../notes.md"\n  ],\n  "packages": "none"\n}',
      "repo/notes.md": "",
      [USER]: '{ "extensions": [ }',
    });
    expect(problems(root).sort()).toEqual([
      "home/.pi/agent/settings.json:1 syntax This is not valid JSON (value expected), so its extensions are not loaded. Correct it.",
      'repo/.pi/settings.json:3 plugin_failed An entry of "extensions" names ROOT/repo/gone.ts, which does not exist. Correct the path, or create it.',
      'repo/.pi/settings.json:4 plugin_failed An entry of "extensions" is not a path. Correct it.',
      'repo/.pi/settings.json:7 plugin_failed "packages" is a text. Write a list: ["none"].',
      "repo/notes.md: not_a_tool This is not a tool file. Name a folder, or a file that ends in .ts, .mts, .js, .mjs, .cjs or .json.",
    ]);
  });
});

describe('"packages" in settings files of pi', () => {
  const installed = (folder: string, manifest: object = {}): Record<string, unknown> => ({
    [`${folder}/package.json`]: { name: "@acme/tools", version: "1.2.3", ...manifest },
    [`${folder}/extensions/one.ts`]: EXTENSION,
    [`${folder}/extensions/two/index.ts`]: EXTENSION,
    [`${folder}/src/main.ts`]: EXTENSION,
  });
  const MAIN = { pi: { extensions: ["./src/main.ts"] } };
  const BOTH = ["extensions/one.ts", "extensions/two/index.ts"];

  it.each<[unknown, string, Record<string, unknown>, readonly string[]]>([
    ["..", "repo", installed("repo", MAIN), ["src/main.ts"]],
    ["../", "repo", installed("repo"), BOTH],
    ["../", "repo", installed("repo", { pi: { extensions: ["./extensions"] } }), BOTH],
    [
      "../",
      "repo",
      installed("repo", { pi: { extensions: ["./**/*.ts", "!**/two/*"] } }),
      ["extensions/one.ts", "src/main.ts"],
    ],
    ["../", "repo", installed("repo", { pi: { extensions: ["extensions", "-extensions/one.ts"] } }), BOTH.slice(1)],
    ["../", "repo", installed("repo", { pi: { extensions: ["."] } }), []],
    ["../", "repo", installed("repo", { pi: { skills: ["./skills"] } }), []],
    ["../", "repo", installed("repo", { omp: { extensions: ["./src/main.ts"] }, ...MAIN }), ["src/main.ts"]],
    ["../packages/a", "repo/packages/a", installed("repo/packages/a"), BOTH],
    ["../packages/a", "repo/packages/a", { "repo/packages/a/index.ts": EXTENSION }, ["index.ts"]],
    ["../packages/a", "repo/packages/a", { "repo/packages/a/index.ts": "", "repo/packages/a/skills/x.md": "" }, []],
    ["../packages/a.ts", "repo/packages", { "repo/packages/a.ts": EXTENSION }, ["a.ts"]],
    [{ source: ".." }, "repo", installed("repo"), BOTH],
    [{ source: ".." }, "repo", installed("repo", { pi: { skills: ["./skills"] } }), BOTH],
    [{ source: "..", skills: [] }, "repo", installed("repo"), BOTH],
    [{ source: "..", extensions: [] }, "repo", installed("repo"), []],
    [{ source: "..", extensions: ["extensions/one.ts"] }, "repo", installed("repo"), BOTH.slice(0, 1)],
    [{ source: "..", extensions: ["!extensions/two/**"] }, "repo", installed("repo"), BOTH.slice(0, 1)],
    [{ source: "..", extensions: ["**/*.ts", "-extensions/one.ts"] }, "repo", installed("repo"), BOTH.slice(1)],
    [
      { source: "..", autoload: false, extensions: ["+extensions/one.ts"] },
      "repo",
      installed("repo"),
      BOTH.slice(0, 1),
    ],
    [{ source: "..", autoload: false, extensions: ["**", "!one.ts"] }, "repo", installed("repo"), BOTH.slice(1)],
    [{ source: "npm:gone", autoload: false, extensions: ["!**"] }, "repo", {}, []],
    [{ source: "npm:gone", autoload: false }, "repo", {}, []],
    ...["npm:@acme/tools", "npm:@acme/tools@1.2.3", "npm:@acme/tools@^1"].map(
      (source): [unknown, string, Record<string, unknown>, readonly string[]] => {
        const folder = "repo/.pi/npm/node_modules/@acme/tools";
        return [source, folder, installed(folder, MAIN), ["src/main.ts"]];
      },
    ),
    ...[
      "git:example.com/acme/tools",
      "git:example.com/acme/tools@v1",
      "git:example.com/acme/tools.git#main",
      "git:git@example.com:acme/tools",
      "git:git@example.com:acme/tools.git@v1",
      "git:https://example.com/acme/tools",
      "https://example.com/acme/tools",
      "git:git+https://example.com/acme/tools.git",
      "https://example.com/acme/tools.git@feature/x",
      "https://user@example.com:8443/acme/tools/",
      "ssh://git@example.com/acme/tools",
      "git://example.com/acme/tools",
    ].map((source): [unknown, string, Record<string, unknown>, readonly string[]] => {
      const folder = "repo/.pi/git/example.com/acme/tools";
      return [source, folder, { [`${folder}/extensions/one.ts`]: EXTENSION }, ["extensions/one.ts"]];
    }),
    [
      "git:github:acme/tools",
      "repo/.pi/git/github.com/acme/tools",
      installed("repo/.pi/git/github.com/acme/tools"),
      BOTH,
    ],
    ["git:acme/tools", "repo/.pi/git/github.com/acme/tools", installed("repo/.pi/git/github.com/acme/tools"), BOTH],
  ])("[D3] %j in %s", (entry, folder, files, expected) => {
    const root = project({ ...files, [CONFIG]: { packages: [entry] } });
    const lines = found(root);
    expect(lines.map((line) => line.split(" ").slice(0, 2).join(" ")).sort()).toEqual(
      expected.map((file) => `package ${folder}/${file}`).sort(),
    );
    expect(lines.every((line) => line.endsWith(" !"))).toBe(true);
  });

  it("[D3] of the user are in the folder of pi, or installed globally; a project may add files of them", () => {
    const root = project({
      ...installed("home/.pi/agent/npm/node_modules/acme", MAIN),
      ...installed("home/.pi/agent/git/example.com/a/b"),
      ...installed("prefix/lib/node_modules/old", MAIN),
      [USER]: { packages: ["npm:acme", "git:example.com/a/b", "npm:old"] },
      [CONFIG]: { packages: [{ source: "npm:acme", autoload: false, extensions: ["src/*"] }] },
    });
    const env = { NPM_CONFIG_PREFIX: join(root, "prefix") };
    expect(found(root, { env })).toEqual([
      "package home/.pi/agent/npm/node_modules/acme/src/main.ts main !",
      "package home/.pi/agent/git/example.com/a/b/extensions/one.ts one",
      "package home/.pi/agent/git/example.com/a/b/extensions/two/index.ts two",
      "package prefix/lib/node_modules/old/src/main.ts main",
    ]);
    const [, plugin] = run(root, { env }).locations;
    expect(plugin).toMatchObject({ system: "pi", plugin: { name: "@acme/tools", version: "1.2.3" } });
    // The project cannot block a package of the user.
    expect(found(root, { env, trust: false })[0]).toBe("package home/.pi/agent/npm/node_modules/acme/src/main.ts main");
  });

  it("[D5] that are not installed are problems with the command that installs them", () => {
    const root = project({
      [CONFIG]:
        '{ "packages": [\n"npm:@acme/tools@1",\n"git:example.com/a/b",\n"../gone",\n{},\n"npm:../../x",\n"git:example.com/../../x",\n"../empty"\n] }',
      "repo/empty/vite.config.ts": "",
      [USER]: '{ "packages": ["npm:acme"] }',
    });
    const at = 'plugin_failed An entry of "packages"';
    expect(problems(root)).toEqual([
      `${CONFIG}:2 ${at} names npm:@acme/tools@1, which is not installed. Start pi, which installs it, or run in ROOT/repo: pi install --local npm:@acme/tools@1`,
      `${CONFIG}:3 ${at} names git:example.com/a/b, which is not installed. Start pi, which installs it, or run in ROOT/repo: pi install --local git:example.com/a/b`,
      `${CONFIG}:4 ${at} names ROOT/repo/gone, which does not exist. Correct the path, or create it.`,
      `${CONFIG}:5 ${at} is neither a package, nor a path, nor an object with "source". Correct it.`,
      `${CONFIG}:6 ${at} names npm:../../x, which is not the name of a package. Correct it.`,
      `${CONFIG}:7 ${at} names git:example.com/../../x, which is not the address of a repository. Correct it.`,
      `${CONFIG}:8 ${at} names ROOT/repo/empty, which has no extensions: there is neither "pi" in a package.json, nor a folder "extensions", nor an index.ts. Correct the path, or build the package.`,
      `${USER}:1 ${at} names npm:acme, which is not installed. Start pi, which installs it, or run: pi install npm:acme`,
    ]);
    expect(run(root).watched).toContain(join(root, "repo/.pi/npm/node_modules/@acme/tools/package.json"));
  });
});

describe("settings files of pi in an untrusted project", () => {
  it("[D7] block what they name, and are not followed out of the project", () => {
    const root = project({
      "elsewhere/x.ts": EXTENSION,
      "elsewhere/pack/extensions/x.ts": EXTENSION,
      "repo/ext/hello.ts": EXTENSION,
      "repo/pack/extensions/one.ts": EXTENSION,
      "repo/.pi/npm/node_modules/acme/extensions/one.ts": EXTENSION,
      "home/mine.ts": EXTENSION,
      [CONFIG]: {
        extensions: ["../ext", "../../elsewhere/x.ts", "../link", "~/mine.ts"],
        packages: ["../pack", "npm:acme", "npm:linked", "../../elsewhere/pack"],
      },
      [USER]: { extensions: ["../../mine.ts"] },
    });
    symlinkSync(join(root, "elsewhere"), join(root, "repo/link"));
    symlinkSync(join(root, "elsewhere/x.ts"), join(root, "repo/ext/out.ts"));
    symlinkSync(join(root, "elsewhere/pack"), join(root, "repo/.pi/npm/node_modules/linked"));
    expect(found(root, { trust: false })).toEqual(["global home/mine.ts mine"]);
    const { blocked } = run(root, { trust: false });
    expect(blocked.flatMap(({ files }) => files.map((file) => file.slice(root.length + 1)))).toEqual([
      "repo/ext/hello.ts",
      "repo/pack/extensions/one.ts",
      "repo/.pi/npm/node_modules/acme/extensions/one.ts",
    ]);
    const outside = (list: string, path: string): string =>
      `${CONFIG}:1 plugin_failed An entry of "${list}" names ROOT/${path}, which is outside the project. It is not loaded before the project is trusted. If you want it, run: toolwright trust --cwd ROOT/repo`;
    expect(problems(root, { trust: false })).toEqual([
      "repo/ext/out.ts: unreadable This tools folder is a link out of the project, to ROOT/elsewhere/x.ts. It is not read before the project is trusted. If the link is yours, run: toolwright trust --cwd ROOT/repo",
      `${CONFIG}:1 plugin_failed An entry of "packages" names npm:linked, which is not installed. If you trust the project, run: toolwright trust --cwd ROOT/repo`,
      outside("packages", "elsewhere/pack"),
      outside("extensions", "elsewhere/x.ts"),
      outside("extensions", "repo/link"),
      outside("extensions", "home/mine.ts"),
    ]);
    expect(paths(root)).toEqual([
      "repo/ext/hello.ts",
      "repo/ext/out.ts",
      "home/mine.ts",
      "repo/pack/extensions/one.ts",
      "repo/.pi/npm/node_modules/acme/extensions/one.ts",
      "repo/.pi/npm/node_modules/linked/extensions/x.ts",
    ]);
  });

  it("[D7] are not read through a link out of it", () => {
    const root = project({ "other.json": { extensions: ["../x.ts"] }, "repo/.pi/x": "", "repo/x.ts": EXTENSION });
    symlinkSync(join(root, "other.json"), join(root, CONFIG));
    expect(problems(root, { trust: false })).toEqual([
      "repo/.pi/settings.json: unreadable It is not read: it leads out of the project, to ROOT/other.json, and the project is not trusted. If the link is yours, run: toolwright trust",
    ]);
    expect(run(root, { trust: false }).blocked).toEqual([]);
  });
});
