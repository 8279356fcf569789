import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { put, temporary } from "../../../test/support/temporary.ts";
import { projectOf, repositoryRoot } from "./repository.ts";

describe("projectOf", () => {
  it("[D7] is the nearest folder with .git, which may be a file, else the directory itself", () => {
    const root = temporary();
    mkdirSync(join(root, "repo/.git"), { recursive: true });
    mkdirSync(join(root, "repo/a/b"), { recursive: true });
    put(join(root, "repo/sub/.git"), "gitdir: ../.git/modules/sub");
    mkdirSync(join(root, "plain"));
    expect(projectOf(join(root, "repo/a/b"))).toBe(join(root, "repo"));
    expect(projectOf(join(root, "repo/sub"))).toBe(join(root, "repo/sub"));
    expect(projectOf(join(root, "plain"))).toBe(join(root, "plain"));
    expect(projectOf(join(root, "missing"))).toBe(join(root, "missing"));
    expect(repositoryRoot(join(root, "plain"))).toBeUndefined();
  });

  it("[D7] is the real path of a linked directory", () => {
    const root = temporary();
    mkdirSync(join(root, "trusted/.git"), { recursive: true });
    mkdirSync(join(root, "other/deep"), { recursive: true });
    symlinkSync(join(root, "other/deep"), join(root, "trusted/link"));
    expect(projectOf(join(root, "trusted/link"))).toBe(join(root, "other/deep"));
  });
});
