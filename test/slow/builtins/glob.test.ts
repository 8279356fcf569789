import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openBuiltins } from "../../support/builtins.ts";
import type { Sandbox } from "../../support/fixture.ts";

/** Sets the age of each file to its position in the list. */
function age({ project }: Sandbox, paths: readonly string[]): void {
  for (const [minutes, path] of paths.entries())
    utimesSync(join(project, path), 1_700_000_000, 1_700_000_000 - 60 * minutes);
}

describe("[B6] glob", () => {
  it("[B6] finds files by pattern, newest first, and those of the same age by path", async () => {
    const files = {
      "a.ts": "",
      "src/b.ts": "",
      "src/c.tsx": "",
      "src/d/e.ts": "",
      "src/d/.f.ts": "",
      "out/g.ts": "",
      ".gitignore": "out\n",
    };
    const { say, call, at } = await openBuiltins(files);
    age(at, ["src/d/e.ts", "a.ts", "src/c.tsx", "src/b.ts", "src/d/.f.ts"]);
    expect(await say("glob", { pattern: "**/*.ts" })).toBe(
      "4 files, newest first.\n\nsrc/d/e.ts\na.ts\nsrc/b.ts\nsrc/d/.f.ts",
    );
    expect(await say("glob", { pattern: "*.tsx" })).toBe("1 file, newest first.\n\nsrc/c.tsx");
    expect(await say("glob", { pattern: "./*.ts" })).toBe("1 file, newest first.\n\na.ts");
    expect(await say("glob", { pattern: "/*.ts" })).toBe("1 file, newest first.\n\na.ts");
    expect(await say("glob", { pattern: "*.{ts,tsx}", path: "src" })).toBe(
      "4 files, newest first.\n\nsrc/d/e.ts\nsrc/c.tsx\nsrc/b.ts\nsrc/d/.f.ts",
    );
    expect(await say("glob", { pattern: "[bc].*", path: "src" })).toBe("2 files, newest first.\n\nsrc/c.tsx\nsrc/b.ts");
    expect(await say("glob", { pattern: `${at.project}/src/*.ts` })).toBe("1 file, newest first.\n\nsrc/b.ts");
    expect(await say("glob", { pattern: "*.ts", path: "out" })).toBe("1 file, newest first.\n\nout/g.ts");
    for (const path of ["src/b.ts", "src/c.tsx"]) utimesSync(join(at.project, path), 1_700_000_000, 1_700_000_000);
    expect(await say("glob", { pattern: "src/*" })).toBe("2 files, newest first.\n\nsrc/b.ts\nsrc/c.tsx");
    expect(await call("glob", { pattern: "src/*" })).toMatchObject({ ok: true, data: { files: 2, more: 0 } });
  });

  it("[B6] shows a hundred files, and the number of further matches", async () => {
    const names = Array.from({ length: 130 }, (_, at) => `f${String(at).padStart(3, "0")}.txt`);
    const { say, at, call } = await openBuiltins(Object.fromEntries(names.map((name) => [name, ""])));
    age(at, names);
    expect(await say("glob", { pattern: "*.txt" })).toBe(
      `The 100 newest files; 30 older ones match as well. Narrow it down with a longer pattern or a path.\n\n${names.slice(0, 100).join("\n")}`,
    );
    expect(await call("glob", { pattern: "*.txt" })).toMatchObject({ data: { files: 100, more: 30 } });
    const few = await openBuiltins({}, { cwd: at.project, settings: { toolLimits: { glob: { results: 2 } } } });
    expect(await few.say("glob", { pattern: "f00?.txt" })).toBe(
      "The 2 newest files; 8 older ones match as well. Narrow it down with a longer pattern or a path.\n\nf000.txt\nf001.txt",
    );
  });

  it("[B6] reports that no file matches, and a possible reason", async () => {
    const { say } = await openBuiltins({ "app/[id]/page.tsx": "", "app/(shop)/page.tsx": "" });
    expect(await say("glob", { pattern: "*.py" })).toBe('No file matches "*.py" in ".".\n\n(Not searched: .git.)');
    expect(await say("glob", { pattern: "/etc/*" })).toBe(
      'No file matches "/etc/*" in ".". A leading "/" is the folder that is searched.\n\n(Not searched: .git.)',
    );
    expect(await say("glob", { pattern: "app/[id]/*" })).toBe("1 file, newest first.\n\napp/[id]/page.tsx");
    expect(await say("glob", { pattern: "app/\\[id\\]/*" })).toBe("1 file, newest first.\n\napp/[id]/page.tsx");
    expect(await say("glob", { pattern: "app/(shop)/*" })).toBe("1 file, newest first.\n\napp/(shop)/page.tsx");
  });

  it("[B6] refuses invalid inputs, and explains what to send instead", async () => {
    const { call } = await openBuiltins({ "src/a.ts": "" });
    const refused: [object, string][] = [
      [{ pattern: "" }, '"pattern" is empty. Send a pattern such as "**/*.ts".'],
      [{ pattern: "../*.ts" }, '"pattern" contains "..". Send the folder to search as "path" instead.'],
      [{ pattern: "src/{..,b}/*" }, '"pattern" contains "..". Send the folder to search as "path" instead.'],
      [{ pattern: "a\0" }, '"pattern" contains a NUL byte. Send it without.'],
      [{ pattern: "{a,b" }, '"pattern" has a "{" without a "}". Write \\{ for the character "{".'],
      [{ pattern: "x".repeat(2000) }, '"pattern" has more than 1000 characters. Send a shorter one.'],
      [{ pattern: "*", path: "scr" }, 'There is nothing at "scr". Did you mean "src"?'],
      [
        { pattern: "*", path: "src/a.ts" },
        '"src/a.ts" is a file. Send a folder as "path", or read the file with read.',
      ],
      [{ pattern: "*", path: ".git" }, '".git" belongs to git. Inspect it with git commands in bash.'],
    ];
    for (const [input, message] of refused) {
      expect(await call("glob", input), message).toMatchObject({ ok: false, error: { code: "failed", message } });
    }
  });

  it("[B6] [P3] hides the names of files that a rule denies", async () => {
    const permissions = [{ tool: "*", match: "**/.env*", action: "deny" }];
    const { say } = await openBuiltins({ ".env": "", "a/.env.local": "", "a/b": "" }, { settings: { permissions } });
    expect(await say("glob", { pattern: "**/*" })).toBe("1 file, newest first.\n\na/b");
    expect(await say("glob", { pattern: ".env*" })).toBe('No file matches ".env*" in ".".\n\n(Not searched: .git.)');
  });

  it("[B13] [P3] stays inside the project", async () => {
    const { call, at } = await openBuiltins({}, { callerIsAsked: true });
    mkdirSync(join(at.root, "other"));
    writeFileSync(join(at.root, "other/a.txt"), "");
    symlinkSync(join(at.root, "other"), join(at.project, "link"));
    for (const path of [join(at.root, "other"), "..", "link", "~", "/"]) {
      expect(await call("glob", { pattern: "**", path }), path).toMatchObject({ ok: false, error: { code: "denied" } });
    }
  });
});

describe("[B6] glob and its child process", () => {
  it("[B6] [X1] shows no files of a folder that became a link meanwhile", async () => {
    const { at } = await openBuiltins();
    mkdirSync(join(at.root, "outside"));
    writeFileSync(join(at.root, "outside/a.txt"), "");
    const script = `#!/bin/sh\nrm -rf sub; ln -s "${at.root}/outside" sub; printf './sub/a.txt\\000./b.txt\\000'\n`;
    writeFileSync(join(at.root, "rg"), script);
    chmodSync(join(at.root, "rg"), 0o755);
    const variables = { TOOLWRIGHT_RIPGREP: join(at.root, "rg") };
    const { say } = await openBuiltins({}, { variables, cwd: at.project });
    writeFileSync(join(at.project, "b.txt"), "");
    expect(await say("glob", { pattern: "**" })).toBe("1 file, newest first.\n\nb.txt");
  });

  it("[B6] [P4] ends that process when the call is cancelled", async () => {
    const { at } = await openBuiltins();
    writeFileSync(join(at.root, "rg"), `#!/bin/sh\necho $$ > "${at.root}/pid"; exec sleep 60\n`);
    chmodSync(join(at.root, "rg"), 0o755);
    const { toolbox } = await openBuiltins(
      {},
      { variables: { TOOLWRIGHT_RIPGREP: join(at.root, "rg") }, cwd: at.project },
    );
    const run = toolbox.call({ name: "glob", input: { pattern: "**" } });
    const pid = (): string => (existsSync(join(at.root, "pid")) ? readFileSync(join(at.root, "pid"), "utf8") : "");
    await expect.poll(pid, { timeout: 20_000 }).toMatch(/\d+\n/);
    run.abort();
    expect(await run.result).toMatchObject({ ok: false, error: { code: "aborted" } });
    await expect.poll(() => existsSync(`/proc/${pid().trim()}`), { timeout: 5_000 }).toBe(false);
  });
});

it.skipIf(process.platform !== "linux")("[B6] [X1] is not blocked by an endless ignore file", async () => {
  const { at, say } = await openBuiltins({ "a.txt": "", "z/b.txt": "" });
  symlinkSync("/dev/zero", join(at.project, "z/.gitignore"));
  expect(await say("glob", { pattern: "*.txt" })).toBe(
    `ripgrep would wait forever: "${join(at.project, "z/.gitignore")}" is not a regular file but a pipe or a device. Ask the user to remove it.`,
  );
});
