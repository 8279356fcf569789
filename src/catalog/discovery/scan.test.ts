import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { put, temporary } from "../../../test/support/temporary.ts";
import { scan } from "./scan.ts";
import type { ToolLocation } from "./tool-file.ts";

function location(path: string): ToolLocation {
  return { path, kind: "global", system: "toolwright", ofProject: false };
}

/** The found files as `name path`. */
function found(root: string, ...folders: string[]): string[] {
  const { files, problems } = scan(folders.map((folder) => location(join(root, folder))));
  expect(problems).toEqual([]);
  return files.map(({ file, name }) => `${name} ${relative(root, file)}`);
}

describe("scan", () => {
  it("[D2] finds tool files and folders with an index, by name", () => {
    const root = temporary();
    for (const name of ["b.ts", "a.mts", "Z.js", "c.mjs", "d.cjs", "a-b.ts", "é.ts", "dir/index.ts", "old/index.cjs"]) {
      put(join(root, "t", name));
    }
    expect(found(root, "t")).toEqual([
      "Z t/Z.js",
      "a t/a.mts",
      "a-b t/a-b.ts",
      "b t/b.ts",
      "c t/c.mjs",
      "d t/d.cjs",
      "dir t/dir/index.ts",
      "old t/old/index.cjs",
      "é t/é.ts",
    ]);
  });

  it("[D2] finds one file of each subfolder, if the system prescribes its name", () => {
    const root = temporary();
    for (const name of [
      "a/extension.mjs",
      "a/index.ts",
      "b/index.ts",
      "_lib/c.mjs",
      "extension.mjs",
      "d.mjs",
      "e/f/extension.mjs",
    ]) {
      put(join(root, "t", name));
    }
    symlinkSync(join(root, "t/a"), join(root, "t/linked"));
    const { files, problems } = scan([{ ...location(join(root, "t")), entryFile: "extension.mjs" }]);
    expect(problems).toEqual([]);
    expect(files.map(({ file, name }) => `${name} ${relative(root, file)}`)).toEqual(["a t/a/extension.mjs"]);
  });

  it("[D2] ignores all other files", () => {
    const root = temporary();
    const others = [
      "a.d.ts",
      "a.d.mts",
      "a.test.ts",
      "b.spec.js",
      "a.test.data.ts",
      ".hidden.ts",
      "a.tsx",
      "a.jsx",
      "a.cts",
    ];
    const more = [
      "README.md",
      "Makefile",
      "package.json",
      "package-lock.json",
      "tsconfig.json",
      "tsconfig.build.json",
      "jsconfig.json",
      "a.test.json",
      ".b.json",
      ".git/index.ts",
      "node_modules/index.js",
      "lib/helper.ts",
    ];
    for (const name of [...others, ...more, "lib/index.test.ts", "lib/index.d.ts"]) put(join(root, "t", name));
    mkdirSync(join(root, "t/x/index.ts"), { recursive: true });
    expect(found(root, "t")).toEqual([]);
  });

  it("[D2] lists every JSON file as a possible tool file, also beside code of the same name", () => {
    const root = temporary();
    for (const name of ["git.json", "git.ts", "settings.json", "my-package.json", "deep/index.json"]) {
      put(join(root, "t", name));
    }
    expect(found(root, "t")).toEqual([
      "git t/git.json",
      "git t/git.ts",
      "my-package t/my-package.json",
      "settings t/settings.json",
    ]);
  });

  it("[D2] skips *.d.ts, but not names that only resemble it", () => {
    const root = temporary();
    for (const name of ["d.ts", "test.ts", "spec.js", "contest.ts"]) put(join(root, "t", name));
    expect(found(root, "t")).toEqual(["contest t/contest.ts", "d t/d.ts", "spec t/spec.js", "test t/test.ts"]);
  });

  it("[D4] keeps files of the same name in one folder, and one index per folder", () => {
    const root = temporary();
    for (const name of ["lint.ts", "lint.js", "lint/index.ts", "lint/index.js"]) put(join(root, "t", name));
    expect(found(root, "t")).toEqual(["lint t/lint.js", "lint t/lint.ts", "lint t/lint/index.ts"]);
  });

  it("[D2] follows links to files and folders, and lists one real file once", () => {
    const root = temporary();
    put(join(root, "real/one.ts"));
    put(join(root, "real/pack/index.ts"));
    mkdirSync(join(root, "t"));
    symlinkSync(join(root, "real/one.ts"), join(root, "t/uno.ts"));
    symlinkSync(join(root, "real/pack"), join(root, "t/pack"));
    mkdirSync(join(root, "t/via"));
    symlinkSync(join(root, "real/pack/index.ts"), join(root, "t/via/index.ts"));
    expect(found(root, "t", "real")).toEqual(["pack t/pack/index.ts", "uno t/uno.ts"]);
    expect(found(root, "real", "t")).toEqual(["one real/one.ts", "pack real/pack/index.ts"]);
  });

  it("[D2] ends despite links in a circle", () => {
    const root = temporary();
    put(join(root, "t/index.ts"));
    symlinkSync(".", join(root, "t/loop"));
    expect(found(root, "t")).toEqual(["index t/index.ts"]);
  });

  it("[D2] a broken link is one problem, and the others are found", () => {
    const root = temporary();
    put(join(root, "t/good.ts"));
    symlinkSync(join(root, "gone"), join(root, "t/bad.ts"));
    symlinkSync("again", join(root, "t/again"));
    symlinkSync(join(root, "gone"), join(root, "t/notes.md"));
    mkdirSync(join(root, "t/half"));
    symlinkSync(join(root, "gone"), join(root, "t/half/index.ts"));
    const { files, problems } = scan([location(join(root, "t"))]);
    expect(files.map(({ name }) => name)).toEqual(["good"]);
    const points = "This link points to nothing. Correct it, or delete it.";
    expect(problems.sort((a, b) => (a.file < b.file ? -1 : 1))).toEqual([
      {
        file: join(root, "t/again"),
        code: "unreadable",
        message: "This link leads back to itself. Correct it, or delete it.",
      },
      { file: join(root, "t/bad.ts"), code: "unreadable", message: points },
      { file: join(root, "t/half"), code: "unreadable", message: points },
    ]);
  });

  it("[D2] a folder that no longer exists is one problem", () => {
    const root = temporary();
    const { files, problems } = scan([location(join(root, "gone"))]);
    expect(files).toEqual([]);
    expect(problems).toMatchObject([{ file: join(root, "gone"), code: "unreadable" }]);
    expect(problems[0]?.message).toMatch(/^This folder cannot be read: ENOENT/);
  });

  it.skipIf(process.getuid?.() === 0)("[D2] a folder that cannot be read is one problem", () => {
    const root = temporary();
    put(join(root, "t/a.ts"));
    chmodSync(join(root, "t"), 0o000);
    onTestFinished(() => chmodSync(join(root, "t"), 0o700));
    expect(scan([location(join(root, "t"))]).problems).toMatchObject([{ code: "unreadable" }]);
  });

  it("[D1] a configured location may be one file", () => {
    const root = temporary();
    const names = ["one.ts", "pack/index.ts", "x.test.ts", "git.json", "notes.md"];
    const { files, problems } = scan(names.map((name) => location(put(join(root, name)))));
    expect(files.map(({ name }) => name)).toEqual(["one", "pack", "x.test", "git"]);
    expect(problems).toEqual([
      {
        file: join(root, "notes.md"),
        code: "not_a_tool",
        message: "This is not a tool file. Name a folder, or a file that ends in .ts, .mts, .js, .mjs, .cjs or .json.",
      },
    ]);
  });
});
