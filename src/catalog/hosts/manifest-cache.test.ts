import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { FileManifest } from "../../host/protocol/manifest.ts";
import { stampOf } from "../../platform/files/stamp.ts";
import { ManifestCache } from "./manifest-cache.ts";

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-cache-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function manifest(file: string, ...imports: string[]): FileManifest {
  return { file, tools: [], problems: [], imports: [file, ...imports].map((path) => [path, stampOf(path)]) };
}

describe("the manifest cache", () => {
  it("persists between processes, per folder, in private files", () => {
    const folder = temporary();
    const file = join(folder, "a.ts");
    writeFileSync(file, "a");
    const first = new ManifestCache(folder);
    first.set("/place", manifest(file));
    first.save();
    const second = new ManifestCache(folder);
    expect(second.get("/place", file, "/here")).toEqual(manifest(file));
    expect(second.get("/another", file, "/here")).toBeUndefined();
    const [name] = readdirSync(join(folder, "manifests"));
    expect(statSync(join(folder, "manifests", name as string)).mode & 0o777).toBe(0o600);
  });

  it("returns each file's own manifest, though equal ones are stored once", () => {
    const folder = temporary();
    const about = (why: string): FileManifest["about"] => ({ format: "tool", why, unsupportedFeatures: [] });
    const said = [
      { ...manifest("/p/a.ts"), about: about("one") },
      { ...manifest("/p/b.ts"), about: about("other") },
      { ...manifest("/p/c.ts"), about: about("one") },
      manifest("/p/d.ts"),
    ] as const;
    const first = new ManifestCache(folder);
    for (const each of said) first.set("/p", each as FileManifest);
    first.save();
    const second = new ManifestCache(folder);
    expect(said.map(({ file }) => second.get("/p", file, "/here"))).toEqual(said);
    const [name] = readdirSync(join(folder, "manifests"));
    expect(readFileSync(join(folder, "manifests", name as string), "utf8").match(/"why"/g)).toHaveLength(2);
  });

  it("is invalid as soon as the file, or any file that it imports, changes", () => {
    const folder = temporary();
    const [file, imported] = [join(folder, "a.ts"), join(folder, "b.ts")];
    writeFileSync(file, "a");
    writeFileSync(imported, "b");
    const known = manifest(file, imported);
    const isFresh = (): boolean => new ManifestCache(folder).freshness()(known);
    expect(isFresh()).toBe(true);
    writeFileSync(imported, "c");
    expect(isFresh()).toBe(false);
    const touched = manifest(file, imported);
    utimesSync(file, new Date(1), new Date(1));
    expect(new ManifestCache(folder).freshness()(touched)).toBe(false);
    rmSync(imported);
    expect(isFresh()).toBe(false);
    expect(new ManifestCache(folder).freshness()({ ...known, imports: [] })).toBe(false);
  });

  it("ignores entries of an older format", () => {
    const folder = temporary();
    const cache = new ManifestCache(folder);
    cache.set("/p", manifest("/p/a.ts"));
    cache.save();
    const [name = ""] = readdirSync(join(folder, "manifests"));
    const path = join(folder, "manifests", name);
    const { key, ...rest } = JSON.parse(readFileSync(path, "utf8")) as { key: string };
    expect(key).toMatch(/^13 /);
    writeFileSync(path, JSON.stringify({ key: key.replace(/^13 /, "12 "), ...rest }));
    expect(new ManifestCache(folder).get("/p", "/p/a.ts", "/here")).toBeUndefined();
  });

  it.each(["set", "delete"] as const)("[P1] %s keeps the hooks of the last version that could be read", (how) => {
    const folder = temporary();
    const cache = new ManifestCache(folder);
    const problems = [{ file: "/p/a.ts", code: "syntax", message: "Broken." }] as const;
    const broken = { ...manifest("/p/a.ts"), tools: [], problems, onlyForDirectory: "/here" };
    cache.set("/p", { ...manifest("/p/a.ts"), hooks: ["before"], onlyForDirectory: "/here" });
    for (let times = 0; times < 2; times += 1) cache[how]("/p", broken);
    cache.save();
    const read = new ManifestCache(folder);
    const known = [read.lastHooks("/p", "/p/a.ts", "/here"), read.lastHooks("/p", "/p/a.ts", "/elsewhere")];
    expect(known).toEqual([["before"], ["before"]]);
    read.set("/p", { ...manifest("/p/a.ts"), onlyForDirectory: "/here" });
    read.set("/p", broken);
    expect(read.lastHooks("/p", "/p/a.ts", "/here")).toEqual([]);
  });

  it("drops files that no longer exist", () => {
    const folder = temporary();
    const cache = new ManifestCache(folder);
    for (const file of ["/p/a.ts", "/p/b.ts"]) cache.set("/p", manifest(file));
    cache.keepOnly("/p", new Set(["/p/b.ts"]));
    expect([cache.get("/p", "/p/a.ts", "/here"), cache.get("/p", "/p/b.ts", "/here")?.file]).toEqual([
      undefined,
      "/p/b.ts",
    ]);
  });

  it("is empty if it cannot be read, and reports no error if it cannot be written", () => {
    const folder = temporary();
    writeFileSync(join(folder, "manifests"), "in the way");
    const cache = new ManifestCache(folder);
    expect(cache.get("/p", "/p/a.ts", "/here")).toBeUndefined();
    cache.set("/p", manifest("/p/a.ts"));
    expect(() => cache.save()).not.toThrow();
    const broken = temporary();
    const good = new ManifestCache(broken);
    good.set("/p", manifest("/p/a.ts"));
    good.save();
    const [name] = readdirSync(join(broken, "manifests"));
    writeFileSync(join(broken, "manifests", name as string), "{ not json");
    expect(new ManifestCache(broken).get("/p", "/p/a.ts", "/here")).toBeUndefined();
  });
});
