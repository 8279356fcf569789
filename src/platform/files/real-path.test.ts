import { mkdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporary } from "../../../test/support/temporary.ts";
import { absolute } from "./absolute.ts";
import { isInside } from "./inside.ts";
import { resolveLinks } from "./real-path.ts";

it("[X1] resolves links, also in paths that do not exist yet", () => {
  const root = temporary();
  mkdirSync(join(root, "real"));
  symlinkSync("real", join(root, "link"));
  symlinkSync("link/new", join(root, "dangling"));
  symlinkSync("loop", join(root, "loop"));
  expect(resolveLinks(join(root, "link/a/b"))).toBe(join(root, "real/a/b"));
  expect(resolveLinks(join(root, "dangling"))).toBe(join(root, "real/new"));
  expect(resolveLinks(join(root, "dangling/x"))).toBe(join(root, "real/new/x"));
  expect(resolveLinks(join(root, "loop"))).toBe(join(root, "loop"));
});

it("[X1] accepts paths as models write them", () => {
  expect(absolute("a/../b", "/project")).toBe("/project/b");
  expect(absolute("~/a", "/project")).toBe(join(homedir(), "a"));
  expect(absolute("~", "/project")).toBe(homedir());
  expect(absolute("~a", "/project")).toBe("/project/~a");
  expect(() => absolute("a\0b", "/project")).toThrow("The path contains a NUL byte. Send it without.");
});

it("[X1] compares whole folder names, not prefixes", () => {
  expect(isInside("/data", "/data/a")).toBe(true);
  expect(isInside("/data", "/data")).toBe(true);
  expect(isInside("/data", "/data/..a")).toBe(true);
  expect(isInside("/", "/a")).toBe(true);
  expect(isInside("/data", "/data-secret")).toBe(false);
  expect(isInside("/data", "/")).toBe(false);
  expect(isInside("/data", "data/a")).toBe(false);
});
