import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openBuiltins } from "../../support/builtins.ts";
import type { Sandbox } from "../../support/fixture.ts";
import { ROUNDS } from "../../support/rounds.ts";

interface Project {
  readonly at: Sandbox;
  /** The files that glob finds in a folder. Checks that list shows the same files. */
  readonly files: (path?: string) => Promise<string[]>;
  readonly say: (name: string, input: unknown) => Promise<string>;
}

/** A project without other files: ripgrep applies the ignore files for glob, Toolwright's code for list. */
async function openProject(files: Record<string, string> = {}): Promise<Project> {
  const limits = { list: { entries: 1_000_000, depth: 1_000 }, glob: { results: 10_000 } };
  const { at, say } = await openBuiltins({}, { settings: { toolLimits: limits } });
  rmSync(join(at.project, ".toolwright"), { recursive: true });
  put(at.project, files);
  return {
    at,
    say,
    async files(path = ".") {
      const found = await say("glob", { pattern: "**/*", path });
      const paths = found.startsWith("No file matches") ? [] : found.split("\n").slice(2);
      expect(filesOf(await say("list", { path })).sort()).toEqual([...paths].sort());
      return paths;
    },
  };
}

/** The paths of the files in a tree that list shows. Each level is indented by two spaces. */
function filesOf(tree: string): string[] {
  const folders: string[] = [];
  return tree.split("\n").flatMap((line, at) => {
    const [, indent = "", shown = ""] = /^( *)(.*)$/s.exec(line) ?? [];
    const name = shown.startsWith('"') ? (JSON.parse(shown) as string) : shown;
    const depth = indent.length / 2;
    const isFolder = /\/(?: \[empty\])?$/.test(name);
    folders.length = depth;
    if (isFolder) folders[depth] = at === 0 && name.startsWith("./") ? "" : name.replace(/ \[empty\]$/, "");
    if (isFolder || name.includes(" -> ")) return [];
    const path = folders.join("") + name;
    return [shown.startsWith('"') ? JSON.stringify(path) : path];
  });
}

function put(folder: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
    // All files have the same age, so they are ordered by path.
    utimesSync(join(folder, path), 1_700_000_000, 1_700_000_000);
  }
}

const X = "x\n";

describe("[B5] [B6] [B7] ignore files have the same effect in glob and list:", () => {
  it.each<[string, Record<string, string>, string[]]>([
    ["negation", { ".gitignore": "*.log\n!keep.log\n", "a.log": X, "keep.log": X }, [".gitignore", "keep.log"]],
    [
      "no file of an ignored folder can be included again",
      { ".gitignore": "out/\n!out/a\n", "out/a": X, b: X },
      [".gitignore", "b"],
    ],
    ["anchored", { ".gitignore": "/a\nd/e\n", a: X, "b/a": X, "d/e": X, "b/d/e": X }, [".gitignore", "b/a", "b/d/e"]],
    [
      "two stars",
      { ".gitignore": "**/x\na/**/z\ny/**\n", "q/x": X, "a/z": X, "a/b/c/z": X, "y/k": X, o: X },
      [".gitignore", "o"],
    ],
    ["a slash at the end", { ".gitignore": "a/\n", a: X, "b/a/c": X }, [".gitignore", "a"]],
    ["spaces at the end", { ".gitignore": "a \nb\\ \n", a: X, "b ": X, b: X }, [".gitignore", "b"]],
    ["escaped # and !", { ".gitignore": "\\#a\n\\!b\n#c\n", "#a": X, "!b": X, "#c": X }, ["#c", ".gitignore"]],
    [
      "a nested file over the one above",
      { ".gitignore": "*.tmp\n", "a.tmp": X, "s/.gitignore": "!*.tmp\n", "s/a.tmp": X },
      [".gitignore", "s/.gitignore", "s/a.tmp"],
    ],
    [
      ".ignore over .gitignore",
      { ".gitignore": "build/\n", ".ignore": "!build/\nc\n", "build/a": X, "build/s/b": X, c: X },
      [".gitignore", ".ignore", "build/a", "build/s/b"],
    ],
    [".rgignore over .ignore", { ".ignore": "a\n", ".rgignore": "!a\n", a: X }, [".ignore", ".rgignore", "a"]],
    ["CRLF and a byte order mark", { ".gitignore": "\uFEFFa\r\nb/\r\n", a: X, "b/c": X, d: X }, [".gitignore", "d"]],
    [
      "hidden files are like any other",
      { ".env": X, ".github/w.yml": X, ".gitignore": ".env\n" },
      [".github/w.yml", ".gitignore"],
    ],
    ["upper and lower case", { ".gitignore": "A\n", a: X, "b/A": X }, [".gitignore", "a"]],
    [
      "sets, braces and bytes",
      { ".gitignore": "[ab]\n*.{x,y}\n?\n", a: X, "b/c": X, "f.x": X, "f.z": X, é: X },
      [".gitignore", "f.z", "é"],
    ],
    [
      "unusual names",
      { "a b": X, "ü/ñ": X, "tab\there": X, "line\nbreak": X, "-dash": X, "😀": X },
      ["-dash", "a b", '"line\\nbreak"', '"tab\\there"', "ü/ñ", "😀"],
    ],
    ["a deep folder", { [`${"d/".repeat(120)}f`]: X }, [`${"d/".repeat(120)}f`]],
  ])("%s", async (_, files, expected) => {
    const project = await openProject(files);
    expect(await project.files()).toEqual(expected);
    rmSync(join(project.at.project, ".git"), { recursive: true });
    expect(await project.files()).toEqual(expected);
  });

  it("a nested repository has its own rules; outside a repository a nested one makes no difference", async () => {
    const files = { ".gitignore": "a\n", "in/.git/HEAD": X, "in/a": X, "in/.gitignore": "b\n", "in/b": X, "in/c": X };
    const project = await openProject(files);
    expect(await project.files()).toEqual([".gitignore", "in/.gitignore", "in/a", "in/c"]);
    expect(await project.files("in")).toEqual(["in/.gitignore", "in/a", "in/c"]);
    rmSync(join(project.at.project, ".git"), { recursive: true });
    expect(await project.files()).toEqual([".gitignore", "in/.gitignore", "in/c"]);
  });

  it("an ignored folder is searched if the call names it, by the rules inside it", async () => {
    const { files, say } = await openProject({
      ".gitignore": "lib/\n*.md\n",
      "lib/p/a.md": X,
      "lib/p/b": X,
      "lib/p/.gitignore": "b\n",
    });
    expect(await files("lib/p")).toEqual(["lib/p/.gitignore", "lib/p/a.md"]);
    expect(await say("grep", { pattern: "x", path: "lib" })).toBe("1 match in 1 file.\n\nlib/p/a.md\n  1: x");
  });

  it("ignore files above the project do not apply", async () => {
    const rules = { ".gitignore": "c.ts\n/src/e.ts\n", "src/.gitignore": "b.ts\n/deep/d.ts\n" };
    const { at, files, say } = await openProject({
      ...rules,
      ...{ "src/a.ts": X, "src/b.ts": X, "src/c.ts": X, "src/e.ts": X, "src/deep/a.ts": X, "src/deep/d.ts": X },
    });
    put(at.root, { ".ignore": "*.ts\n", ".gitignore": "*.ts\n" });
    for (const name of ["with .git", "without"]) {
      if (name === "without") rmSync(join(at.project, ".git"), { recursive: true });
      expect(await files(), name).toEqual([".gitignore", "src/.gitignore", "src/a.ts", "src/deep/a.ts"]);
      expect(await files("src"), name).toEqual(["src/.gitignore", "src/a.ts", "src/deep/a.ts"]);
      expect(await files("src/deep"), name).toEqual(["src/deep/a.ts"]);
      expect(await say("grep", { pattern: "x", path: "src/deep", include: "/*.ts" })).toBe(
        "1 match in 1 file.\n\nsrc/deep/a.ts\n  1: x",
      );
    }
  });

  it("links are not followed, even in a circle", async () => {
    const { at, say } = await openProject({ "a/f": X });
    symlinkSync("..", join(at.project, "a/up"));
    symlinkSync("self", join(at.project, "self"));
    symlinkSync("a", join(at.project, "also"));
    symlinkSync("a/f", join(at.project, "file"));
    expect(await say("glob", { pattern: "**/*" })).toBe("1 file, newest first.\n\na/f");
    expect(await say("grep", { pattern: "x" })).toBe("1 match in 1 file.\n\na/f\n  1: x");
    expect(await say("list", {})).toBe("./\n  a/\n    f\n    up -> ..\n  also -> a\n  file -> a/f\n  self -> self");
  });

  it("random trees and rules", { timeout: 120_000 }, async () => {
    const random = randomFrom(20_251_115);
    const { at, files } = await openProject();
    for (let round = 0; round < ROUNDS; round++) {
      plantTree(join(at.project, `t${round}`), random);
      await files(`t${round}`);
    }
  });
});

/** A seeded generator of numbers between 0 and 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const NAMES = [
  "a",
  "b",
  "foo",
  "bar",
  "build",
  "a.log",
  "b.txt",
  "x y",
  "#h",
  "!n",
  "é",
  ".hid",
  "A",
  "a[1]",
  "d d ",
  "{z}",
  "-d",
];
const RULES = [
  "a",
  "b/",
  "/a",
  "/foo/",
  "*.log",
  "!a",
  "!b.txt",
  "!foo/",
  "**/bar",
  "foo/**",
  "foo/*",
  "!foo/bar",
  "a/b",
  "a/**/b",
  "*",
  "!*/",
]
  .concat([
    "!*.txt",
    "\\#h",
    "\\!n",
    "#h",
    "x\\ y",
    "d d ",
    "d d\\ ",
    "a[1]",
    "a\\[1\\]",
    "[ab]",
    "[!a]",
    ".*",
    "!.hid",
    "?",
    "/*",
    "!/foo",
  ])
  .concat([
    "build",
    "!build/",
    "**",
    "a/",
    "é",
    "{z}",
    "{a,b}",
    "*.{log,txt}",
    "",
    "/",
    "*/b",
    "/*/a",
    "**/foo/**",
    "a**",
    "f*o",
    "a.log\r",
    "[",
  ])
  .concat(["a\\", "!", "//", "./a", "[[:alpha:]]", "[]a]", "[^a]", "**/", "/**/a", "a/**/"]);

function plantTree(root: string, random: () => number): void {
  const pick = (values: readonly string[]): string => values[Math.floor(random() * values.length)] ?? "";
  const folders = [""];
  for (let count = 0; count < 6; count++) folders.push(`${pick(folders)}${pick(NAMES)}/`);
  const grow = (path: string, text: string): void => {
    try {
      put(root, { [path]: text });
    } catch {
      // A file is in the way of a folder, or the other way round.
    }
  };
  for (const folder of folders) for (let count = 0; count < 3; count++) grow(folder + pick(NAMES), X);
  for (let count = 0; count < 3; count++) {
    const kind = pick([".gitignore", ".gitignore", ".ignore", ".rgignore"]);
    grow(pick(folders) + kind, Array.from({ length: 3 }, () => pick(RULES)).join("\n"));
  }
  if (random() < 0.2) grow(`${pick(folders)}.git/HEAD`, X);
}

describe("[B5] [B6] [B7] node_modules", () => {
  const FILES = {
    "a.js": "needle\n",
    "node_modules/zod/index.js": "needle\n",
    "lib/node_modules/x/index.js": "needle\n",
  };
  const GLOB_NOTE = '\n\n(Not searched: node_modules. To search node_modules, name it in "path" or "pattern".)';
  const GREP_NOTE = '\n\n(Not searched: node_modules. To search node_modules, name it in "path" or "include".)';

  it("is skipped without an ignore file, and the output says so", async () => {
    const { say } = await openProject(FILES);
    expect(await say("glob", { pattern: "*.js" })).toBe(`1 file, newest first.\n\na.js${GLOB_NOTE}`);
    expect(await say("grep", { pattern: "needle" })).toBe(`1 match in 1 file.\n\na.js\n  1: needle${GREP_NOTE}`);
    expect(await say("list", {})).toBe(
      "./\n  lib/\n    node_modules/ [not shown]\n  node_modules/ [not shown]\n  a.js",
    );
    expect(await say("glob", { pattern: "*.py" })).toBe(
      `No file matches "*.py" in ".".${GLOB_NOTE.replace("node", ".git, node")}`,
    );
    expect(await say("grep", { pattern: "nothing" })).toBe(
      `Nothing matches in ".".${GREP_NOTE.replace("node", ".git, node")}`,
    );
  });

  it.each([
    ["", ""],
    [" also if it is ignored", "node_modules\n"],
  ])("is searched if the call names it,%s", async (_, rules) => {
    const { say } = await openProject({ ...FILES, ...(rules ? { ".gitignore": rules } : {}) });
    const zod = "1 file, newest first.\n\nnode_modules/zod/index.js";
    const match = "1 match in 1 file.\n\nnode_modules/zod/index.js\n  1: needle";
    expect(await say("glob", { pattern: "*.js", path: "node_modules" })).toBe(zod);
    expect(await say("glob", { pattern: "node_modules/**/*.js" })).toBe(zod);
    expect(await say("glob", { pattern: "./node_modules/zod/*.js" })).toBe(zod);
    expect(await say("grep", { pattern: "needle", path: "node_modules" })).toBe(match);
    expect(await say("grep", { pattern: "needle", path: "node_modules/zod/index.js" })).toBe(match);
    expect(await say("grep", { pattern: "needle", include: "node_modules/zod/**" })).toBe(match);
    expect(await say("list", { path: "node_modules" })).toBe("node_modules/\n  zod/\n    index.js");
    expect(await say("list", { path: "lib/node_modules/x" })).toBe("lib/node_modules/x/\n  index.js");
    expect(await say("glob", { pattern: "lib/node_modules/*/index.js" })).toMatch(
      /^1 file, .*\n\nlib\/node_modules\/x\/index\.js$/,
    );
    expect(await say("glob", { pattern: "node_modules/none/*.js" })).toBe(
      'No file matches "node_modules/none/*.js" in "node_modules".',
    );
  });

  it("is found by a wildcard in front of it unless it is ignored", async () => {
    const { say } = await openProject(FILES);
    expect(await say("glob", { pattern: "**/node_modules/**/index.js" })).toBe(
      "2 files, newest first.\n\nlib/node_modules/x/index.js\nnode_modules/zod/index.js",
    );
  });

  it("is not mentioned if it is ignored, hidden by a rule, or not there", async () => {
    const ignored = await openProject({ ...FILES, ".gitignore": "node_modules\n" });
    expect(await ignored.say("grep", { pattern: "needle" })).toBe("1 match in 1 file.\n\na.js\n  1: needle");
    const none = await openProject({ "a.js": X });
    expect(await none.say("glob", { pattern: "*.js" })).toBe("1 file, newest first.\n\na.js");
    const permissions = [{ tool: "*", match: "node_modules", action: "deny" }];
    const hidden = await openBuiltins(FILES, { settings: { permissions } });
    expect(await hidden.say("glob", { pattern: "a.js" })).toBe("1 file, newest first.\n\na.js");
  });

  it("[B6] .git is not searched either, which is said if nothing is found", async () => {
    const { at, say } = await openProject({ "a.js": X });
    put(at.project, { ".git/config": "needle\n" });
    expect(await say("grep", { pattern: "needle" })).toBe('Nothing matches in ".".\n\n(Not searched: .git.)');
    expect(await say("glob", { pattern: "config" })).toBe('No file matches "config" in ".".\n\n(Not searched: .git.)');
    expect(await say("glob", { pattern: "a.js" })).toBe("1 file, newest first.\n\na.js");
  });
});
