import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type DiscoveryChanges, run as runDiscovery } from "../../../test/support/discovered.ts";
import { put, temporary } from "../../../test/support/temporary.ts";
import type { Discovered } from "./discover.ts";
import { trustProject } from "./trusted-projects.ts";

function run(root: string, options: DiscoveryChanges = {}): Discovered {
  return runDiscovery(root, { trust: false, ...options });
}

function project(): { root: string; ours: string; mine: string } {
  const root = temporary();
  mkdirSync(join(root, "repo/.git"), { recursive: true });
  const ours = put(join(root, "repo/.toolwright/tools/ours.ts"));
  const mine = put(join(root, "home/.toolwright/tools/mine.ts"));
  return { root, ours, mine };
}

const namesOf = ({ files }: Discovered): string[] => files.map(({ name }) => name);

describe("discover", () => {
  it("[D7] blocks the files of an untrusted project, with the command to paste", () => {
    const { root, ours, mine } = project();
    const claude = put(join(root, "repo/.claude/tools/c.ts"));
    const found = run(root);
    expect(found.project).toEqual({ root: join(root, "repo"), trusted: false });
    expect(found.files.map(({ file }) => file)).toEqual([mine]);
    const fix = `toolwright trust --cwd ${join(root, "repo")}`;
    expect(found.blocked).toEqual([
      { directory: dirname(ours), files: [ours], fix },
      { directory: dirname(claude), files: [claude], fix },
    ]);
    expect(found.locations.map(({ kind }) => kind)).toEqual(["project", "project", "global"]);
    expect(found.problems).toEqual([]);
  });

  it("[D7] serves the files after the project is trusted, by each way to trust it", async () => {
    const { root } = project();
    const served = ["ours", "mine"];
    expect(namesOf(run(root, { trust: true }))).toEqual(served);
    expect(namesOf(run(root, { env: { TOOLWRIGHT_TRUST: "1" } }))).toEqual(served);
    expect(namesOf(run(root, { parents: [root] }))).toEqual(served);
    expect(namesOf(run(root))).toEqual(["mine"]);
    await trustProject(join(root, "repo"), join(root, "home/.toolwright"));
    mkdirSync(join(root, "repo/sub"));
    expect(run(root, { cwd: join(root, "repo/sub") })).toMatchObject({ project: { trusted: true }, blocked: [] });
    expect(namesOf(run(root, { cwd: join(root, "repo/sub") }))).toEqual(served);
  });

  it("[D7] a package in node_modules adds no tools to a project in its folder", () => {
    const { root } = project();
    const folder = join(root, "repo/packages/a/node_modules/x");
    put(join(folder, ".toolwright/tools/theirs.ts"));
    put(join(folder, "src/.claude/tools/theirs-too.ts"));
    put(join(folder, ".mcp.json"), '{ "mcpServers": { "s": { "command": "s" } } }');
    put(join(folder, "package.json"), '{ "dependencies": { "y": "1" } }');
    put(join(folder, "node_modules/y/package.json"), '{ "toolwright": { "tools": ["t.ts"] } }');
    put(join(folder, "node_modules/y/t.ts"));
    put(join(root, "repo/packages/a/.toolwright/tools/near.ts"));
    const found = run(root, { cwd: join(folder, "src"), trust: true, mcpImport: true });
    expect(namesOf(found)).toEqual(["near", "ours", "mine"]);
  });

  it("[D7] quotes the folder in the command if its name requires it", () => {
    const root = temporary();
    put(join(root, "it's mine/.toolwright/tools/a.ts"));
    expect(run(root, { cwd: join(root, "it's mine") }).blocked[0]?.fix).toBe(
      `toolwright trust --cwd '${root}/it'\\''s mine'`,
    );
  });

  it("[D7] blocks a configured path in the project, also a single file, but not a path elsewhere", () => {
    const { root } = project();
    const inside = put(join(root, "repo/more/x.ts"));
    put(join(root, "elsewhere/y.ts"));
    const paths = ["more/x.ts", "../elsewhere"].map((path) => ({ path, from: "--tools-path" }));
    const found = run(root, { paths });
    expect(namesOf(found)).toEqual(["y", "mine"]);
    expect(found.blocked[0]).toMatchObject({ directory: dirname(inside), files: [inside] });
  });

  it("[D7] a link in the user's folder counts as the user's, wherever it points", () => {
    const { root, ours } = project();
    symlinkSync(ours, join(root, "home/.toolwright/tools/linked.ts"));
    const found = run(root);
    expect(namesOf(found)).toEqual(["linked", "mine"]);
    expect(found.blocked).toHaveLength(1);
  });

  it("[D7] an untrusted project cannot hide the user's tools by linking to them", () => {
    const { root, mine } = project();
    symlinkSync(mine, join(root, "repo/.toolwright/tools/stolen.ts"));
    expect(namesOf(run(root))).toEqual(["mine"]);
    expect(namesOf(run(root, { trust: true }))).toEqual(["ours", "stolen"]);
  });

  it("[D7] an invalid trust list blocks the project and is a problem", () => {
    const { root } = project();
    const file = put(join(root, "home/.toolwright/trust.json"), "oops");
    expect(run(root)).toMatchObject({ project: { trusted: false }, problems: [{ file, code: "unreadable" }] });
  });

  it("[D5] does not throw for missing or unreachable folders", () => {
    const root = temporary();
    expect(run(root, { cwd: join(root, "gone") })).toMatchObject({ files: [], blocked: [], problems: [] });
    const nowhere = { cwd: "/dev/null", home: "/dev/null", toolwrightHome: "/dev/null" };
    expect(run(root, { ...nowhere, paths: [{ path: "gone", from: "--tools-path" }] }).problems).toEqual([
      {
        file: "/dev/null/gone",
        code: "unreadable",
        message: "There is no such file or folder. It is named by --tools-path. Correct the path there, or create it.",
      },
    ]);
  });

  it("[D1] finds 500 files in one folder", () => {
    const root = temporary();
    for (let index = 0; index < 500; index++) put(join(root, `home/.toolwright/tools/t${index}.ts`));
    expect(run(root).files).toHaveLength(500);
  });
});
