import { statSync } from "node:fs";
import { join } from "node:path";
import type { Case } from "../harness.ts";
import { openTree, ripgrep, SAME_FILES, timed } from "./grep.ts";

export const globAll: Case = {
  name: "glob-all",
  about: "built-in glob of 50,000 files, newest first, in a warm toolbox, compared with `rg --files` plus stat",
  prepare: (folder) => globBench(folder, "**/*", []),
};

export const globSome: Case = {
  name: "glob-some",
  about: "built-in glob of 5,000 of 50,000 files by extension, compared with `rg --files --glob` plus stat",
  prepare: (folder) => globBench(folder, "**/*.tsx", ["--glob=*.tsx"]),
};

async function globBench(folder: string, pattern: string, flags: readonly string[]): ReturnType<Case["prepare"]> {
  const { project, toolbox } = await openTree(folder);
  const glob = timed("glob", async () => {
    const result = await toolbox.call({ name: "glob", input: { pattern } }).result;
    const { files } = (result.ok ? result.data : {}) as { files?: number };
    if (files !== 100) throw new Error(`glob returned ${files} files instead of 100.`);
  });
  const peer = timed("rg+stat", async () => {
    const paths = (await ripgrep([...SAME_FILES, ...flags, "--files", "--null", "./"], project))
      .split("\0")
      .slice(0, -1);
    const dated = paths.map((path) => ({ path, changed: statSync(join(project, path)).mtimeMs }));
    dated.sort((a, b) => b.changed - a.changed).splice(100);
  });
  return {
    contenders: [glob, peer],
    goals: [{ of: "glob", measure: "wall", against: "rg+stat", atMost: 1.15 }],
    rounds: 15,
    warmUp: 3,
    close: () => toolbox.close(),
  };
}
