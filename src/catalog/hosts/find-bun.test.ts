import { chmodSync, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { put, temporary } from "../../../test/support/temporary.ts";
import { findBun } from "./find-bun.ts";

function program(file: string): string {
  put(file, "#!/bin/sh\n");
  chmodSync(file, 0o755);
  return file;
}

describe("[A9] the search for Bun", () => {
  it("checks PATH first, then the folder of Bun's installer", () => {
    const root = temporary();
    const project = join(root, "project");
    const home = program(join(root, ".bun/bin/bun"));
    expect(findBun({}, { home: root, project })).toBe(home);
    const moved = program(join(root, "moved/bin/bun"));
    expect(findBun({ BUN_INSTALL: join(root, "moved") }, { home: root, project })).toBe(moved);
    const first = program(join(root, "first/bun"));
    const env = { PATH: [join(root, "none"), join(root, "first")].join(delimiter), BUN_INSTALL: join(root, "moved") };
    expect(findBun(env, { home: root, project })).toBe(first);
  });

  it("ignores folders, files that are not executable, and relative entries of PATH", () => {
    const root = temporary();
    mkdirSync(join(root, "folder/bun"), { recursive: true });
    put(join(root, "file/bun"), "text");
    const PATH = [join(root, "folder"), join(root, "file"), "", ".", "bin"].join(delimiter);
    expect(findBun({ PATH }, { home: root, project: join(root, "project") })).toBeUndefined();
  });

  it("finds nothing without PATH", () => {
    expect(findBun({}, { home: temporary(), project: temporary() })).toBeUndefined();
  });
});
