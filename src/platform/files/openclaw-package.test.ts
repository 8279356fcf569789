import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { put, temporary } from "../../../test/support/temporary.ts";
import { openClawPackage, openClawPackageOf } from "./openclaw-package.ts";

const MANIFEST = { "openclaw.plugin.json": '{ "id": "notes" }' };
const packageWith = (...extensions: unknown[]): Record<string, string> => ({
  "package.json": JSON.stringify({ openclaw: { extensions } }),
});

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporary();
  for (const [path, text] of Object.entries(files)) put(join(folder, path), text);
  return folder;
}

/** The entries of a folder, relative to it. */
function entriesIn(folder: string): string[] | undefined {
  return openClawPackage(folder)?.entries.map((file) => file.slice(folder.length + 1));
}

describe("the entries of a plugin of OpenClaw", () => {
  it.each<[string, Record<string, string>, string[] | undefined]>([
    ["nothing", { "index.ts": "" }, undefined],
    ["a package of another kind", { "package.json": "{}", "index.ts": "" }, undefined],
    ["metadata only", { "package.json": '{ "openclaw": { "channel": {} } }', "index.ts": "" }, undefined],
    ["a manifest", { ...MANIFEST, "index.ts": "", "index.js": "" }, ["index.ts"]],
    ["a manifest, CommonJS", { ...MANIFEST, "index.cjs": "" }, ["index.cjs"]],
    [
      "a manifest, main",
      { ...MANIFEST, "package.json": '{ "main": "./lib/main.js" }', "lib/main.js": "" },
      ["lib/main.js"],
    ],
    ["a manifest, source folder", { ...MANIFEST, "src/index.ts": "" }, ["src/index.ts"]],
    ["a manifest of skills", { ...MANIFEST, "skills/a/SKILL.md": "" }, []],
    ["an extension", { ...packageWith("./src/plugin.ts"), "src/plugin.ts": "" }, ["src/plugin.ts"]],
    ["two extensions", { ...packageWith("./a.ts", "b.ts"), "a.ts": "", "b.ts": "" }, ["a.ts", "b.ts"]],
    ["one extension twice", { ...packageWith("./a.ts", "a.ts"), "a.ts": "" }, ["a.ts"]],
    ["an extension without ending", { ...packageWith("./src/plugin"), "src/plugin.ts": "" }, ["src/plugin.ts"]],
    ["a folder", { ...packageWith("./src"), "src/index.ts": "" }, ["src/index.ts"]],
    ["a built file", { ...packageWith("./dist/index.js"), "dist/index.js": "", "src/index.ts": "" }, ["dist/index.js"]],
    ["no built file", { ...packageWith("./dist/index.js"), "src/index.ts": "" }, ["src/index.ts"]],
    ["no built file, other name", { ...packageWith("./dist/notes.mjs"), "src/notes.mts": "" }, ["src/notes.mts"]],
    ["no built file, source at the top", { ...packageWith("./dist/index.js"), "index.ts": "" }, ["index.ts"]],
    ["no built file, src in dist", { ...packageWith("./dist/src/index.js"), "src/index.ts": "" }, ["src/index.ts"]],
    ["no built file, bundle", { ...packageWith("./dist/bundle.cjs"), "src/index.ts": "" }, ["src/index.ts"]],
    ["no built file, build", { ...packageWith("./build/main.js"), "src/main.js": "" }, ["src/main.js"]],
    ["the ending of JavaScript", { ...packageWith("./plugin.js"), "plugin.ts": "" }, ["plugin.ts"]],
    ["wrong entries", { ...packageWith(5, "", "../out.ts"), "index.ts": "" }, []],
    [
      "no list",
      { "package.json": '{ "openclaw": { "extensions": "a.ts" } }', ...MANIFEST, "index.ts": "" },
      ["index.ts"],
    ],
    ["a broken package.json", { "package.json": "{", ...MANIFEST, "index.ts": "" }, ["index.ts"]],
    [
      "a built file beside a source that is not published",
      {
        "package.json": '{ "openclaw": { "extensions": ["./src/a.ts"], "runtimeExtensions": ["./dist/a.js"] } }',
        "dist/a.js": "",
      },
      ["dist/a.js"],
    ],
  ])("[A15] [D1] %s", (_what, files, expected) => {
    expect(entriesIn(folderWith(files))).toEqual(expected);
  });

  it("[A15] [D1] entries that are missing are named", () => {
    const folder = folderWith(packageWith("./dist/a.js", "./b.ts"));
    expect(openClawPackage(folder)).toEqual({ folder, entries: [], missing: ["./dist/a.js", "./b.ts"], omitted: 0 });
  });

  it("[D7] only the first 100 entries are looked for: an untrusted project may name any number", () => {
    const names = Array.from({ length: 1_000 }, (_, at) => `./${at}.ts`);
    const found = openClawPackage(folderWith({ ...packageWith(...names), "99.ts": "", "100.ts": "" }));
    expect([found?.entries.length, found?.missing.length, found?.omitted]).toEqual([1, 99, 900]);
  });

  it.each(["a\0b", `${"x/".repeat(3_000)}x`, "x".repeat(100_000)])(
    "[D7] an entry that can name no file is missing",
    (path) => {
      expect(openClawPackage(folderWith(packageWith(path)))?.missing).toEqual([path]);
    },
  );

  it("[D7] links out of the folder are not followed", () => {
    const folder = folderWith({ ...packageWith("./a.ts"), "b.ts": "" });
    symlinkSync(put(join(temporary(), "a.ts")), join(folder, "a.ts"));
    expect(entriesIn(folder)).toEqual([]);
  });

  it.each<[string, boolean]>([
    ["src/plugin.ts", true],
    ["src/other.ts", false],
    ["index.ts", false],
    ["src/deep/er/plugin.ts", false],
  ])("[A15] [D5] %s is an entry: %s", (path, isEntry) => {
    const folder = folderWith({ ...packageWith("./src/plugin.ts"), "src/plugin.ts": "", [path]: "" });
    expect(openClawPackageOf(join(folder, path))?.folder).toBe(isEntry ? folder : undefined);
  });
});
