import { describe, expect, it } from "vitest";
import { bunUse, bunUseInPackage } from "./uses-bun.ts";

describe("[A9] files that need Bun", () => {
  it.each([
    ["await Bun.$`ls`;", 'It uses "Bun.$".'],
    ["return Bun.file(path).text();", 'It uses "Bun.file".'],
    ["Bun\n  .write(a, b);", 'It uses "Bun.write".'],
    ["Bun?.gc();", 'It uses "Bun.gc".'],
    ["Bun[name]();", 'It uses "Bun".'],
    ["const { $ } = Bun;", 'It uses "Bun".'],
    ["`$" + "{Bun.version}`", 'It uses "Bun.version".'],
    ['import { $ } from "bun";', 'It imports "bun".'],
    ["import { Database } from 'bun:sqlite';", 'It imports "bun:sqlite".'],
    ['import "bun:jsc";', 'It imports "bun:jsc".'],
    ['export * from "bun";', 'It imports "bun".'],
    ['const { dlopen } = require("bun:ffi");', 'It imports "bun:ffi".'],
    ['const { Database } = await import("bun:sqlite");', 'It imports "bun:sqlite".'],
    ['import { $ } from "bun"; if (typeof Bun === "undefined") throw 1;', 'It imports "bun".'],
  ])("%s", (source, words) => {
    expect(bunUse(source)).toBe(words);
  });

  it.each([
    ["no mention of Bun", "export default 1;"],
    ["a string", 'const a = "Bun.file"; const b = `Bun.$`;'],
    ["a comment", "// Bun.file\n/* import 'bun' */ export default 1;"],
    ["a typeof check", 'const text = typeof Bun === "undefined" ? read() : Bun.file(a).text();'],
    ["a check of the global", "const bun = globalThis.Bun; if (bun) Bun.gc();"],
    ["a check of the global by a string key", 'if (globalThis["Bun"]) Bun.gc();'],
    ["a check of process.versions", "if (process.versions.bun) Bun.gc();"],
    ["a guarded import", 'const { Database } = typeof Bun === "object" ? await import("bun:sqlite") : node();'],
    ["a local variable", "const Bun = { file: () => 1 }; Bun.file();"],
    ["a property of that name", "shop.Bun.price(); const order = { Bun: 1 };"],
    ["a package whose name begins with bun", 'import b from "bundle"; import c from "bun-types-mine";'],
    ["a longer identifier", "Bunny.hop(); myBun.eat();"],
  ])("not: %s", (_, source) => {
    expect(bunUse(source)).toBeUndefined();
  });
});

describe("[A9] code of packages", () => {
  it.each([
    ["a use", "export const run = () => Bun.spawn([]);", 'It uses "Bun.spawn".'],
    ["a mention", "// Works in Bun. Bun.serve too.\nexport const name = 'Bun.file';", undefined],
    ["a check in the same file", 'if (typeof Bun !== "undefined") Bun.serve({});', undefined],
    ["a check by a variable", "if (isBun) Bun.serve({});", undefined],
    ["an import, which may be caught", 'await import("bun:sqlite");', undefined],
  ])("%s", (_, source, use) => {
    expect(bunUseInPackage(source)).toBe(use);
    expect(bunUseInPackage(Buffer.from(source))).toBe(use);
  });
});
