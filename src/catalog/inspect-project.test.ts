import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { put, temporary } from "../../test/support/temporary.ts";
import type { Environment } from "../settings/defaults.ts";
import { inspectProject } from "./inspect-project.ts";

function repository(): { root: string; cwd: string; list: string } {
  const root = temporary();
  const cwd = join(root, "repo");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  mkdirSync(join(root, "home"));
  put(join(cwd, ".toolwright/settings.json"), '{ "mode": "acceptEdits" }');
  put(join(cwd, ".toolwright/tools/ours.ts"));
  return { root, cwd, list: join(root, "tw/trust.json") };
}

/** An environment that runs `change` when trust is decided for the second time. */
function changing(root: string, change: () => void): Environment {
  let asked = 0;
  return {
    HOME: join(root, "home"),
    TOOLWRIGHT_HOME: join(root, "tw"),
    get TOOLWRIGHT_TRUST() {
      asked += 1;
      if (asked === 2) change();
      return undefined;
    },
  };
}

describe("inspectProject", () => {
  it.each([
    ["granted", false],
    ["withdrawn", true],
  ])("[D7] decides trust once, for settings and files: trust is %s meanwhile", (_change, trusted) => {
    const { root, cwd, list } = repository();
    const listed = (is: boolean): string => put(list, JSON.stringify({ projects: is ? [cwd] : [] }));
    listed(trusted);
    const env = changing(root, () => listed(!trusted));
    const { settings, ignored, discovered } = inspectProject({ cwd, env, toolsPaths: [], trust: false });
    expect(discovered.project).toEqual({ root: cwd, trusted });
    expect(discovered.files.length > 0).toBe(trusted);
    expect(discovered.blocked.length > 0).toBe(!trusted);
    expect(settings.mode.project !== undefined).toBe(trusted);
    expect(ignored).toEqual(trusted ? [] : ["mode"]);
  });

  it("[D7] decides trust in a project whose settings file is the user's", () => {
    const { root, cwd, list } = repository();
    mkdirSync(join(root, "tw"));
    symlinkSync(join(cwd, ".toolwright/settings.json"), join(root, "tw/settings.json"));
    const env = { HOME: join(root, "home"), TOOLWRIGHT_HOME: join(root, "tw") };
    const inspect = () => inspectProject({ cwd, env, toolsPaths: [], trust: false }).discovered.project.trusted;
    expect(inspect()).toBe(false);
    put(list, JSON.stringify({ projects: [cwd] }));
    expect(inspect()).toBe(true);
  });
});
