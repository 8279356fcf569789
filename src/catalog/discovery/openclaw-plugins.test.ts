import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type DiscoveryChanges, found, problems, project, run } from "../../../test/support/discovered.ts";
import { put, temporary } from "../../../test/support/temporary.ts";

const MANIFEST = { id: "notes", configSchema: {} };
const PLUGIN = "export default { id: 'notes', register() {} };";

const systems = (root: string, options: DiscoveryChanges = {}): string[] =>
  run(root, options).files.map(({ location }) => location.system);

describe("plugins of OpenClaw", () => {
  it("[D1] [A15] are found in their folders: files, and folders by their entries", () => {
    const root = project({
      "repo/.openclaw/extensions/single.ts": PLUGIN,
      "repo/.openclaw/extensions/notes/openclaw.plugin.json": MANIFEST,
      "repo/.openclaw/extensions/notes/index.ts": PLUGIN,
      "repo/.openclaw/extensions/notes/helper.ts": "",
      "repo/.openclaw/extensions/built/package.json": { openclaw: { extensions: ["./dist/index.js"] } },
      "repo/.openclaw/extensions/built/src/index.ts": PLUGIN,
      "repo/.openclaw/extensions/bare/index.js": PLUGIN,
      "home/.openclaw/extensions/mine/package.json": { openclaw: { extensions: ["./a.ts", "./b.ts"] } },
      "home/.openclaw/extensions/mine/a.ts": PLUGIN,
      "home/.openclaw/extensions/mine/b.ts": PLUGIN,
    });
    expect(found(root)).toEqual([
      "project repo/.openclaw/extensions/bare/index.js bare !",
      "project repo/.openclaw/extensions/built/src/index.ts built !",
      "project repo/.openclaw/extensions/notes/index.ts notes !",
      "project repo/.openclaw/extensions/single.ts single !",
      "global home/.openclaw/extensions/mine/a.ts mine",
      "global home/.openclaw/extensions/mine/b.ts mine_2",
    ]);
    expect(new Set(systems(root))).toEqual(new Set(["openclaw"]));
    expect(problems(root)).toEqual([]);
  });

  it("[D1] [A15] are found where their manifest lies: in each directory up to the root of the repository", () => {
    const root = project({
      "repo/openclaw.plugin.json": MANIFEST,
      "repo/index.ts": PLUGIN,
      "repo/other.ts": "",
      "repo/plugins/deep/openclaw.plugin.json": MANIFEST,
      "repo/plugins/deep/package.json": { openclaw: { extensions: ["./dist/main.js"] } },
      "repo/plugins/deep/src/main.ts": PLUGIN,
      "home/.openclaw/extensions/mine.ts": PLUGIN,
    });
    expect(found(root)).toEqual(["project repo/index.ts repo !", "global home/.openclaw/extensions/mine.ts mine"]);
    expect(found(root, { cwd: join(root, "repo/plugins/deep") })).toEqual([
      "project repo/plugins/deep/src/main.ts main !",
      "project repo/index.ts repo !",
      "global home/.openclaw/extensions/mine.ts mine",
    ]);
    expect(run(root).watched).toEqual(
      expect.arrayContaining([join(root, "repo/openclaw.plugin.json"), join(root, "repo/package.json")]),
    );
  });

  it("[D1] [A15] an entry that is missing is a problem, and a plugin of skills is none", () => {
    const root = project({
      "repo/openclaw.plugin.json": MANIFEST,
      "repo/package.json": { openclaw: { extensions: ["./dist/index.js"] } },
    });
    expect(found(root)).toEqual([]);
    expect(problems(root)).toEqual([
      'repo/package.json: plugin_failed "openclaw.extensions" names "./dist/index.js", but there is no such file, nor a source of it in src. Build the plugin, or correct the path.',
    ]);
    expect(problems(project({ "repo/openclaw.plugin.json": MANIFEST, "repo/skills/a/SKILL.md": "" }))).toEqual([]);
  });

  it("[D7] [A15] those of an untrusted project are blocked", () => {
    const root = project({
      "repo/openclaw.plugin.json": MANIFEST,
      "repo/index.ts": PLUGIN,
      "repo/.openclaw/extensions/single.ts": PLUGIN,
    });
    const { files, blocked } = run(root, { trust: false });
    expect(files).toEqual([]);
    expect(blocked.flatMap((each) => each.files)).toEqual([
      join(root, "repo/index.ts"),
      join(root, "repo/.openclaw/extensions/single.ts"),
    ]);
  });

  it("[D7] [A15] nothing outside the folder is an entry", () => {
    const root = project({
      "repo/openclaw.plugin.json": MANIFEST,
      "repo/package.json": { openclaw: { extensions: ["../out.ts", "./link.ts"] } },
      "out.ts": PLUGIN,
    });
    symlinkSync(put(join(temporary(), "far.ts"), PLUGIN), join(root, "repo/link.ts"));
    for (const trust of [true, false]) {
      expect(found(root, { trust })).toEqual([]);
      expect(run(root, { trust }).blocked).toEqual([]);
    }
  });

  it("[D3] [A15] packages that name extensions are plugins", () => {
    const root = project({
      "repo/package.json": { dependencies: { "openclaw-notes": "1.0.0", other: "1.0.0" } },
      "repo/node_modules/openclaw-notes/package.json": {
        version: "1.2.0",
        openclaw: { extensions: ["./dist/index.js"] },
      },
      "repo/node_modules/openclaw-notes/dist/index.js": PLUGIN,
      "repo/node_modules/other/package.json": { openclaw: { install: {} } },
      "home/.toolwright/node_modules/openclaw-mine/package.json": { openclaw: { extensions: ["./index.ts"] } },
      "home/.toolwright/node_modules/openclaw-mine/index.ts": PLUGIN,
    });
    expect(found(root)).toEqual([
      "package repo/node_modules/openclaw-notes/dist/index.js openclaw-notes !",
      "package home/.toolwright/node_modules/openclaw-mine/index.ts openclaw-mine",
    ]);
    expect(run(root).files[0]?.location).toMatchObject({
      system: "openclaw",
      plugin: { name: "openclaw-notes", version: "1.2.0" },
    });
    expect(problems(root)).toEqual([]);
  });

  it("[D1] [A15] a configured path may be a plugin, or a folder of plugins", () => {
    const files = {
      "repo/plugins/notes/openclaw.plugin.json": MANIFEST,
      "repo/plugins/notes/index.ts": PLUGIN,
      "repo/plugins/notes/other.ts": "",
      "repo/plugins/built/package.json": { openclaw: { extensions: ["./dist/main.js"] } },
      "repo/plugins/built/src/main.ts": PLUGIN,
    };
    const at = (path: string): DiscoveryChanges => ({ paths: [{ path, from: "a flag" }] });
    expect(found(project(files), at("plugins/notes"))).toEqual(["configured repo/plugins/notes/index.ts notes !"]);
    expect(systems(project(files), at("plugins/notes"))).toEqual(["openclaw"]);
    expect(found(project(files), at("plugins"))).toEqual([
      "configured repo/plugins/built/src/main.ts built !",
      "configured repo/plugins/notes/index.ts notes !",
    ]);
  });

  it("[D1] [A15] the user's configuration names more, and variables move it", () => {
    const root = project({
      "home/.openclaw/openclaw.json":
        '{ // mine\n "plugins": { "load": { "paths": ["~/notes", "~/one.ts", "~/gone", 5] } } }',
      "home/notes/openclaw.plugin.json": MANIFEST,
      "home/notes/index.ts": PLUGIN,
      "home/one.ts": PLUGIN,
      "moved/extensions/other.ts": PLUGIN,
      "moved/config.json": { plugins: { load: { paths: ["~/one.ts"] } } },
    });
    expect(found(root)).toEqual(["global home/notes/index.ts notes", "global home/one.ts one"]);
    expect(problems(root)).toEqual([
      'home/gone: unreadable There is no such file or folder. It is named by "plugins.load.paths" in ROOT/home/.openclaw/openclaw.json. Correct the path there, or create it.',
    ]);
    const env = {
      OPENCLAW_STATE_DIR: join(root, "moved"),
      OPENCLAW_CONFIG_PATH: join(root, "moved/config.json"),
    };
    expect(found(root, { env })).toEqual(["global home/one.ts one", "global moved/extensions/other.ts other"]);
  });

  it("[D7] [A15] a configuration in an untrusted project names nothing", () => {
    const root = project({
      "repo/state/openclaw.json": { plugins: { load: { paths: ["~/one.ts"] } } },
      "repo/state/extensions/other.ts": PLUGIN,
      "home/one.ts": PLUGIN,
    });
    const env = { OPENCLAW_STATE_DIR: join(root, "repo/state") };
    expect(found(root, { env, trust: false })).toEqual([]);
    expect(run(root, { env, trust: false }).blocked.flatMap(({ files }) => files)).toEqual([
      join(root, "repo/state/extensions/other.ts"),
    ]);
  });
});
