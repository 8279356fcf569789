import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { put, temporary } from "../../../../test/support/temporary.ts";
import { ProjectFiles } from "./project-files.ts";

function filesIn(directory: string, env: Readonly<Record<string, string>> = {}): ProjectFiles {
  const files = new ProjectFiles({ directory, root: directory, env });
  onTestFinished(() => files.close());
  return files;
}

const never = new AbortController().signal;

describe("the files that complete @path", () => {
  it("[U2] are those of the project and their folders, without ignored ones", async () => {
    const folder = temporary();
    mkdirSync(join(folder, ".git"));
    for (const path of ["src/app.ts", "src/deep/app.css", "dist/app.js", ".github/app.yml", ".git/app"]) {
      put(join(folder, path));
    }
    put(join(folder, ".gitignore"), "dist\n");
    const files = filesIn(folder);
    expect(await files.search("APP", 10, never)).toEqual(["src/app.ts", ".github/app.yml", "src/deep/app.css"]);
    expect(await files.search("dee", 10, never)).toEqual(["src/deep/", "src/deep/app.css"]);
    expect(await files.search("", 3, never)).toEqual(["src/", ".github/", ".gitignore"]);
    expect(await files.search("dist", 10, never)).toEqual([]);
  });

  it("[U2] are found without ripgrep too", async () => {
    const folder = temporary();
    for (const path of ["src/app.ts", "node_modules/x/app.js", ".cache/app"]) put(join(folder, path));
    const files = filesIn(folder, { TOOLWRIGHT_RIPGREP: join(folder, "missing") });
    expect(await files.search("app", 10, never)).toEqual(["src/app.ts"]);
  });

  it("[U2] are none in a folder that does not exist, and after the request was given up", async () => {
    const folder = temporary();
    put(join(folder, "a.ts"));
    expect(await filesIn(join(folder, "missing")).search("a", 10, never)).toEqual([]);
    expect(await filesIn(folder).search("a", 10, AbortSignal.abort())).toEqual([]);
  });

  it("[U2] are searched among 50,000 files while other events are handled", async () => {
    const folder = temporary();
    const program = put(
      join(folder, "program"),
      `#!${process.execPath}
      const paths = Array.from({ length: 50_000 }, (_, at) => \`group-\${Math.floor(at / 1_000)}/file-\${at % 1_000}.ts\\0\`);
      process.stdout.write(paths.join(""));`,
    );
    chmodSync(program, 0o700);
    const files = filesIn(folder, { TOOLWRIGHT_RIPGREP: program });
    // The first searches may find a part of the files.
    const last = (): Promise<readonly string[]> => files.search("group-49/file-999", 1, never);
    await expect.poll(last, { timeout: 10_000 }).toEqual(["group-49/file-999.ts"]);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 0);
    onTestFinished(() => clearInterval(timer));
    expect(await files.search("g7f77", 2, never)).toEqual(["group-7/file-77.ts", "group-7/file-770.ts"]);
    expect(turns).toBeGreaterThan(2);
  });
});
