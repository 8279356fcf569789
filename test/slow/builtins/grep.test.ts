import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openBuiltins } from "../../support/builtins.ts";
import { ROUNDS } from "../../support/rounds.ts";

describe("[B7] grep", () => {
  it("[B7] shows matching lines by file, with their numbers", async () => {
    const files = {
      "src/a.ts": "import x\nconst one = 1;\n\tconst two = 2;\n",
      "src/b.js": "const three = 3;\n",
      "docs/a.md": "const four\r\nconst five\r\n",
      ".gitignore": "dist\n",
      "dist/a.js": "const six\n",
    };
    const { say, call } = await openBuiltins(files);
    expect(await say("grep", { pattern: "const (\\w+)" })).toBe(
      [
        "5 matches in 3 files.",
        "docs/a.md\n  1: const four\n  2: const five",
        "src/a.ts\n  2: const one = 1;\n  3: \tconst two = 2;",
        "src/b.js\n  1: const three = 3;",
      ].join("\n\n"),
    );
    expect(await say("grep", { pattern: "const", include: "*.{js,md}", path: "src" })).toBe(
      "1 match in 1 file.\n\nsrc/b.js\n  1: const three = 3;",
    );
    expect(await say("grep", { pattern: "five$", path: "docs/a.md" })).toBe(
      "1 match in 1 file.\n\ndocs/a.md\n  2: const five",
    );
    expect(await say("grep", { pattern: "six", path: "dist" })).toBe("1 match in 1 file.\n\ndist/a.js\n  1: const six");
    expect(await call("grep", { pattern: "const" })).toMatchObject({
      ok: true,
      data: { matches: 5, files: 3, more: false },
    });
  });

  it("[B7] reports that nothing matches", async () => {
    const { say } = await openBuiltins({ "src/a.ts": "x" });
    expect(await say("grep", { pattern: "nowhere" })).toBe('Nothing matches in ".".\n\n(Not searched: .git.)');
    expect(await say("grep", { pattern: "nowhere", path: "src", include: "*.ts" })).toBe(
      'Nothing matches in "src", in files that match "*.ts".',
    );
  });

  it("[B7] shows the first matches by path, and reports that there are more", async () => {
    const settings = { toolLimits: { grep: { results: 3, lineLength: 10 } } };
    const files = { "b.txt": "x\nx\n", "a/z.txt": "x\n", "a.txt": "x\nx\n" };
    const { say } = await openBuiltins(files, { settings });
    expect(await say("grep", { pattern: "x" })).toBe(
      "The first 3 matches in 2 files, by path. There are more: narrow it down with a longer pattern, a path or an include.\n\na/z.txt\n  1: x\n\na.txt\n  1: x\n  2: x",
    );
    expect(await say("grep", { pattern: "x", path: "a.txt" })).toBe("2 matches in 1 file.\n\na.txt\n  1: x\n  2: x");
    expect(await say("grep", { pattern: "x", include: "b*" })).toBe("2 matches in 1 file.\n\nb.txt\n  1: x\n  2: x");
  });

  it("[B7] cuts long lines, and reports the position of the match", async () => {
    const files = { "a.js": `${"a".repeat(600)}match;\nmatch${"b".repeat(600)}\nmatch\n` };
    const { say } = await openBuiltins(files);
    expect(await say("grep", { pattern: "match" })).toBe(
      `3 matches in 1 file.\n\na.js\n  1: ${"a".repeat(500)} [cut: the match is at byte 601 of the line]\n  2: match${"b".repeat(495)} [cut]\n  3: match`,
    );
  });

  it("[B7] skips binary files, reads UTF-16, and accepts a pattern that begins with a dash", async () => {
    const { say, at } = await openBuiltins({});
    writeFileSync(join(at.project, "bin"), Buffer.from("--x\0\n--x\n"));
    writeFileSync(join(at.project, "wide.txt"), Buffer.from("\uFEFFone\r\n--x ä\r\n", "utf16le"));
    expect(await say("grep", { pattern: "--x" })).toBe("1 match in 1 file.\n\nwide.txt\n  2: --x ä");
    expect(await say("grep", { pattern: "--x", path: "bin" })).toBe('"bin" is a binary file. Only text is searched.');
  });

  it("[B7] searches one file by its path: an ignored one, one with an unusual name, or one with binary content further down", async () => {
    const text = `${"y".repeat(100)}\n`.repeat(2_000);
    const files = {
      ".gitignore": "*\n",
      "a[1]{b} *.txt": "one\ntwo\n",
      "late.bin": `one\n${text}\0`,
      "wide.txt": "\uFEFFone",
    };
    const { say, at } = await openBuiltins(files);
    writeFileSync(join(at.project, "wide.txt"), Buffer.from("\uFEFFone ä\n", "utf16le"));
    const found = "1 match in 1 file.";
    expect(await say("grep", { pattern: "one", path: "a[1]{b} *.txt" })).toBe(`${found}\n\na[1]{b} *.txt\n  1: one`);
    expect(await say("grep", { pattern: "one ä", path: "wide.txt" })).toBe(`${found}\n\nwide.txt\n  1: one ä`);
    expect(await say("grep", { pattern: "three", path: "wide.txt" })).toBe('Nothing matches in "wide.txt".');
    for (const pattern of ["one", "three"]) {
      expect(await say("grep", { pattern, path: "late.bin" })).toBe(
        '"late.bin" is a binary file. Only text is searched.',
      );
    }
  });

  it("[B7] searches a line of 10 MB and a file of 100 MB", { timeout: 120_000 }, async () => {
    const { say, at } = await openBuiltins({});
    writeFileSync(join(at.project, "min.js"), `${"var a=1;".repeat(1_300_000)}needle${"b".repeat(1000)}\n`);
    const chunk = `${"some text in a log, again and again and again\n".repeat(23_000)}`;
    writeFileSync(join(at.project, "z.log"), `${chunk.repeat(95)}needle at the end\n`);
    const shown = `${"var a=1;".repeat(62)}var `;
    const answer = [
      "2 matches in 2 files.",
      `min.js\n  1: ${shown} [cut: the match is at byte 10400001 of the line]`,
      "z.log\n  2185001: needle at the end",
    ];
    expect(await say("grep", { pattern: "needle" })).toBe(answer.join("\n\n"));
    expect(await say("grep", { pattern: "needle at", path: "z.log" })).toBe(
      "1 match in 1 file.\n\nz.log\n  2185001: needle at the end",
    );
  });

  const REFUSED: [string, object, string][] = [
    ["an empty pattern", { pattern: "" }, '"pattern" is empty. Send what to search for.'],
    ...(
      [
        ["an open group", "foo(", "unclosed group"],
        ["a glob", "*.ts", "repetition operator missing expression"],
        ["braces", "interface{}", "repetition quantifier expects a valid decimal"],
        ["looking ahead", "a(?!b)", "look-around, including look-ahead and look-behind, is not supported"],
        ["a reference", "(a)\\1", "backreferences are not supported"],
      ] as const
    ).map(([what, pattern, reason]): [string, object, string] => [
      what,
      { pattern },
      `"pattern" is not a valid regular expression: ${reason}. Write \\ before a character that means itself, such as ( [ { * + ? (the syntax is ripgrep's). A pattern for file names goes into "include".`,
    ]),
    ...["a\nb", "a\\nb", "\\\\\\n"].map((pattern): [string, object, string] => [
      "a line break",
      { pattern },
      '"pattern" contains a line break, and lines are searched one at a time. Send a pattern for a single line.',
    ]),
    ["a NUL byte in it", { pattern: "a\0" }, '"pattern" contains a NUL byte. Send it without.'],
    ["a long one", { pattern: "x".repeat(10_001) }, '"pattern" has more than 10000 characters. Send a shorter one.'],
    [
      "..",
      { pattern: "a", include: "../*.ts" },
      '"include" contains "..". Send the folder to search as "path" instead.',
    ],
    ["a missing folder", { pattern: "a", path: "scr" }, 'There is nothing at "scr". Did you mean "src"?'],
    ["nothing like it", { pattern: "a", path: "qqqq" }, 'There is nothing at "qqqq". Look for it with glob or list.'],
    ["git's own", { pattern: "a", path: ".git" }, '".git" belongs to git. Inspect it with git commands in bash.'],
    ["a NUL byte", { pattern: "a", path: "a\0b" }, "The path contains a NUL byte. Send it without."],
  ];

  it("[B7] refuses invalid inputs, and explains what to send instead", async () => {
    const { call } = await openBuiltins({ "src/a.ts": "a" });
    for (const [what, input, message] of REFUSED) {
      expect(await call("grep", input), what).toMatchObject({ ok: false, error: { code: "failed", message } });
    }
  });

  it("[B7] [P3] shows no matches in files that a rule denies, and shows others instead", async () => {
    const permissions = [{ tool: "*", match: "**/.env*", action: "deny" }];
    const settings = { permissions, toolLimits: { grep: { results: 2 } } };
    const files = { ".env": "KEY=1\n".repeat(50), "a/.env.local": "KEY=2\n", "b.txt": "KEY=3\n", "c.txt": "KEY=4\n" };
    const { say } = await openBuiltins(files, { settings });
    expect(await say("grep", { pattern: "KEY" })).toBe(
      "2 matches in 2 files.\n\nb.txt\n  1: KEY=3\n\nc.txt\n  1: KEY=4",
    );
  });

  it("[B13] [P3] stays inside the project, unless a rule names the folder", async () => {
    const { call, at } = await openBuiltins({}, { callerIsAsked: true });
    mkdirSync(join(at.root, "other"));
    writeFileSync(join(at.root, "other/a.txt"), "secret\n");
    symlinkSync(join(at.root, "other"), join(at.project, "link"));
    for (const path of [join(at.root, "other"), "../other", "link", "../other/a.txt"]) {
      expect(await call("grep", { pattern: "secret", path })).toMatchObject({ ok: false, error: { code: "denied" } });
    }
    const permissions = [{ tool: "grep", match: join(at.root, "other"), action: "allow" }];
    const named = await openBuiltins({}, { cwd: at.project, settings: { permissions } });
    expect(await named.say("grep", { pattern: "secret", path: "../other" })).toBe(
      `1 match in 1 file.\n\n${at.root}/other/a.txt\n  1: secret`,
    );
  });
});

describe("[B7] grep and its child process", () => {
  /** A program that replaces ripgrep. */
  function program(folder: string, script: string): Record<string, string> {
    const file = join(folder, "rg");
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
    return { TOOLWRIGHT_RIPGREP: file };
  }

  it("[B7] [X1] shows no match outside the project, even if a folder becomes a link during the search", async () => {
    const { at } = await openBuiltins();
    mkdirSync(join(at.root, "outside"));
    writeFileSync(join(at.root, "outside/a.txt"), "top secret\n");
    const variables = program(
      at.root,
      `rm -rf sub; ln -s "${at.root}/outside" sub; printf './sub/a.txt\\0001:1:0:top secret\\n'`,
    );
    const { say } = await openBuiltins({}, { variables, cwd: at.project });
    mkdirSync(join(at.project, "sub"));
    writeFileSync(join(at.project, "sub/a.txt"), "harmless\n");
    expect(await say("grep", { pattern: "secret" })).toBe('Nothing matches in ".".\n\n(Not searched: .git.)');
  });

  it("[B5] [B6] [B7] [X1] no file outside is shown while a folder is repeatedly replaced by a link", async () => {
    const { say, at } = await openBuiltins({});
    const [real, aside, outside] = [join(at.project, "real"), join(at.root, "aside"), join(at.root, "outside")];
    mkdirSync(real);
    mkdirSync(outside);
    for (let count = 0; count < 20; count++) {
      writeFileSync(join(real, `f${count}.txt`), "needle\n");
      for (const name of ["f", "stray"]) writeFileSync(join(outside, `${name}${count}.txt`), "secret needle\n");
    }
    const turns = `const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
      const [real, aside, outside] = process.argv.slice(1);
      for (;;) { renameSync(real, aside); symlinkSync(outside, real); unlinkSync(real); renameSync(aside, real); }`;
    const turning = spawn(process.execPath, ["-e", turns, real, aside, outside], { stdio: "ignore" });
    onTestFinished(() => void turning.kill("SIGKILL"));
    for (let round = 0; round < ROUNDS; round++) {
      expect(await say("grep", { pattern: "needle" })).not.toMatch(/secret|stray/);
      expect(await say("glob", { pattern: "**" })).not.toContain("stray");
      expect(await say("list")).not.toContain("stray");
    }
  });

  it("[B7] [P4] ends that process when the call is cancelled", async () => {
    const { at } = await openBuiltins();
    const variables = program(at.root, `echo $$ > "${at.root}/pid"; exec sleep 60`);
    const { toolbox } = await openBuiltins({}, { variables, cwd: at.project });
    const run = toolbox.call({ name: "grep", input: { pattern: "x" } });
    await expect
      .poll(() => existsSync(join(at.root, "pid")) && readFileSync(join(at.root, "pid"), "utf8"), { timeout: 20_000 })
      .toMatch(/\d+\n/);
    run.abort();
    expect(await run.result).toMatchObject({ ok: false, error: { code: "aborted" } });
    const pid = Number(readFileSync(join(at.root, "pid"), "utf8"));
    await expect.poll(() => isRunning(pid), { timeout: 5_000 }).toBe(false);
  });

  it("[B7] reports errors of that process", async () => {
    const { at } = await openBuiltins();
    const variables = program(at.root, "echo 'rg: something is' >&2; echo 'quite wrong' >&2; exit 2");
    const { say } = await openBuiltins({}, { variables, cwd: at.project });
    expect(await say("grep", { pattern: "x" })).toBe("ripgrep failed: rg: something is quite wrong");
    const missing = await openBuiltins({}, { variables: { TOOLWRIGHT_RIPGREP: "/nowhere/rg" } });
    expect(await missing.say("grep", { pattern: "x" })).toBe(
      '"/nowhere/rg" cannot be started: it is not installed or not on PATH.',
    );
    const noRipgrep = { npm_config_arch: "none", PATH: "/nowhere" };
    const without = await openBuiltins({ "a.txt": "x" }, { variables: noRipgrep });
    for (const name of ["grep", "glob"]) {
      expect(await without.say(name, { pattern: "x" })).toBe(
        "ripgrep was not found. Ask the user to install it so that rg is on PATH (https://github.com/BurntSushi/ripgrep#installation), or to set TOOLWRIGHT_RIPGREP to its absolute path.",
      );
    }
    expect(await without.say("list")).toContain("a.txt");
  });

  it("[B7] [X1] a pattern that a backtracking engine could not finish takes no time, also in one file", async () => {
    const { say } = await openBuiltins({ "a.txt": `${"a".repeat(60)}!\n` });
    expect(await say("grep", { pattern: "(a+)+b", path: "a.txt" })).toBe('Nothing matches in "a.txt".');
    expect(await say("grep", { pattern: "(a|aa)+!", path: "a.txt" })).toBe(
      `1 match in 1 file.\n\na.txt\n  1: ${"a".repeat(60)}!`,
    );
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
