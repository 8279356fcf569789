import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openBuiltins } from "../../support/builtins.ts";

describe("[B5] list", () => {
  it("[B5] shows a folder as a tree, folders first, without ignored files", async () => {
    const files = {
      "src/index.ts": "",
      "src/lib/b.ts": "",
      "src/lib/a.ts": "",
      "README.md": "",
      ".github/ci.yml": "",
      ".gitignore": "dist/\n*.log\n",
      "dist/x.js": "",
      "src/debug.log": "",
    };
    const { say, call, at } = await openBuiltins(files);
    rmSync(join(at.project, ".toolwright"), { recursive: true });
    mkdirSync(join(at.project, "empty"));
    expect(await say("list")).toBe(
      [
        "./",
        "  .github/",
        "    ci.yml",
        "  empty/ [empty]",
        "  src/",
        "    lib/",
        "      a.ts",
        "      b.ts",
        "    index.ts",
        "  .gitignore",
        "  README.md",
      ].join("\n"),
    );
    expect(await say("list", { path: "src" })).toBe("src/\n  lib/\n    a.ts\n    b.ts\n  index.ts");
    expect(await say("list", { path: "dist" })).toBe("dist/\n  x.js");
    expect(await say("list", { path: "empty" })).toBe("empty/ [empty]");
    expect(await call("list", { path: "src" })).toMatchObject({ ok: true, data: { entries: 4, cut: 0 } });
  });

  it("[B5] omits the paths in the argument ignore", async () => {
    const { say } = await openBuiltins({ "src/a.ts": "", "src/a.test.ts": "", "src/gen/x.ts": "", "docs/a.md": "" });
    expect(await say("list", { ignore: ["*.test.ts", "docs/", "src/gen", ".toolwright"] })).toBe(
      "./\n  src/\n    a.ts",
    );
    expect(await say("list", { path: "src", ignore: ["gen/**"] })).toBe("src/\n  gen/ [empty]\n  a.test.ts\n  a.ts");
  });

  it("[B5] shows the upper levels first, and reports where and how many entries are omitted", async () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`big/f${String(at).padStart(2, "0")}`, ""]));
    const files = { ...many, "a/b/c/d.txt": "", "z.txt": "" };
    const { say, at, call } = await openBuiltins(files, { settings: { toolLimits: { list: { entries: 7 } } } });
    rmSync(join(at.project, ".toolwright"), { recursive: true });
    expect(await say("list")).toBe(
      [
        'Only 7 entries are shown: 2 folders have more, as marked. To see more, list one of these folders, exclude entries with "ignore", or use glob.',
        "",
        "./",
        "  a/",
        "    b/ [1 entry, not shown]",
        "  big/",
        "    f00",
        "    f01",
        "    f02",
        "    [17 more entries here]",
        "  z.txt",
      ].join("\n"),
    );
    expect(await call("list")).toMatchObject({ data: { entries: 7, cut: 2 } });
    const flat = await openBuiltins({}, { cwd: at.project, settings: { toolLimits: { list: { depth: 2 } } } });
    expect(await flat.say("list", { ignore: ["big"] })).toBe(
      [
        'Only 3 entries are shown: 1 folder has more, as marked. To see more, list one of these folders, exclude entries with "ignore", or use glob.',
        "",
        "./",
        "  a/",
        "    b/ [1 entry, not shown]",
        "  z.txt",
      ].join("\n"),
    );
  });

  it("[B5] shows links without following them, and folders that cannot be read", async () => {
    const { say, at } = await openBuiltins({ "a/f": "", "shut/f": "" });
    rmSync(join(at.project, ".toolwright"), { recursive: true });
    symlinkSync("..", join(at.project, "a/up"));
    symlinkSync("/etc", join(at.project, "outside"));
    symlinkSync("gone", join(at.project, "dangling"));
    writeFileSync(join(at.project, "line\nbreak"), "");
    chmodSync(join(at.project, "shut"), 0);
    const shut = process.getuid?.() === 0 ? ["  shut/", "    f"] : ["  shut/ [cannot be read]"];
    expect(await say("list")).toBe(
      [
        "./",
        "  a/",
        "    f",
        "    up -> ..",
        ...shut,
        "  dangling -> gone",
        '  "line\\nbreak"',
        "  outside -> /etc",
      ].join("\n"),
    );
    chmodSync(join(at.project, "shut"), 0o755);
  });

  it("[B5] [X1] skips an ignore file that is a pipe or endless, and follows a link to a regular one", async () => {
    const { say, at } = await openBuiltins({
      "endless/a": "",
      "pipe/a": "",
      "linked/a": "",
      "linked/b": "",
      rules: "b\n",
    });
    rmSync(join(at.project, ".toolwright"), { recursive: true });
    symlinkSync("/dev/zero", join(at.project, "endless/.gitignore"));
    execFileSync("mkfifo", [join(at.project, "pipe/.ignore")]);
    symlinkSync("../rules", join(at.project, "linked/.gitignore"));
    expect(await say("list")).toBe(
      [
        "./",
        "  endless/",
        "    .gitignore -> /dev/zero",
        "    a",
        "  linked/",
        "    .gitignore -> ../rules",
        "    a",
        "  pipe/",
        "    .ignore",
        "    a",
        "  rules",
      ].join("\n"),
    );
  });

  it("[B5] refuses invalid inputs, and explains what to send instead", async () => {
    const { call } = await openBuiltins({ "src/a.ts": "" });
    const refused: [object, string][] = [
      [{ path: "src/a.ts" }, '"src/a.ts" is a file. Read it with read, or send a folder as "path".'],
      [{ path: "scr" }, 'There is nothing at "scr". Did you mean "src"?'],
      [{ path: "src/b.ts" }, 'There is nothing at "src/b.ts". Did you mean "src/a.ts"?'],
      [{ path: ".git" }, '".git" belongs to git. Inspect it with git commands in bash.'],
      [{ ignore: ["../x"] }, '"ignore" contains "..". Send the folder to search as "path" instead.'],
      [{ ignore: [""] }, '"ignore" is empty. Send a pattern such as "**/*.ts".'],
    ];
    for (const [input, message] of refused) {
      expect(await call("list", input), message).toMatchObject({ ok: false, error: { code: "failed", message } });
    }
  });

  it("[B5] [P3] hides the names of files that a rule denies", async () => {
    const permissions = [{ tool: "*", match: "**/secret*", action: "deny" }];
    const { say, at } = await openBuiltins(
      { "secret.txt": "", "a/secrets/k": "", "a/b": "" },
      { settings: { permissions } },
    );
    rmSync(join(at.project, ".toolwright"), { recursive: true });
    expect(await say("list")).toBe("./\n  a/\n    b");
    for (const name of ["list", "glob", "grep"]) {
      expect(await say(name, { path: "a.secret.txt", pattern: "x" })).toBe(
        'There is nothing at "a.secret.txt". Look for it with glob or list.',
      );
    }
  });

  it("[B13] [P3] stays inside the project", async () => {
    const { call, at } = await openBuiltins({}, { callerIsAsked: true });
    mkdirSync(join(at.root, "other"));
    symlinkSync(join(at.root, "other"), join(at.project, "link"));
    for (const path of [join(at.root, "other"), "..", "link", "~", "/"]) {
      expect(await call("list", { path }), path).toMatchObject({ ok: false, error: { code: "denied" } });
    }
  });

  it("[B5] [P4] stops when the call is cancelled", async () => {
    const { toolbox, at } = await openBuiltins(
      {},
      { settings: { toolLimits: { list: { entries: 1_000_000, depth: 100 } } } },
    );
    for (let folder = 0; folder < 100; folder++) {
      mkdirSync(join(at.project, `d${folder}`));
      for (let file = 0; file < 100; file++) writeFileSync(join(at.project, `d${folder}/f${file}`), "");
    }
    const run = toolbox.call({ name: "list", input: {} });
    run.abort();
    expect(await run.result).toMatchObject({ ok: false, error: { code: "aborted" } });
  });

  it("[B5] omits exactly the files that git ignores", async () => {
    const files = {
      ".gitignore": "*.log\n!keep.log\n/build\n**/tmp/\ndoc/*.txt\n\\#x\n[ab].out\n",
      "a.log": "",
      "keep.log": "",
      "build/x": "",
      "src/build/y": "",
      "src/tmp/z": "",
      "doc/a.txt": "",
      "doc/deep/b.txt": "",
      "#x": "",
      "a.out": "",
      "c.out": "",
      "src/.gitignore": "!*.log\n/only\n",
      "src/a.log": "",
      "src/only": "",
      "src/x/only": "",
    };
    const { say, at } = await openBuiltins(files);
    rmSync(join(at.project, ".git"), { recursive: true });
    rmSync(join(at.project, ".toolwright"), { recursive: true });
    execFileSync("git", ["init", "--quiet"], { cwd: at.project });
    const args = ["ls-files", "--cached", "--others", "--exclude-standard"];
    const known = execFileSync("git", args, { cwd: at.project, encoding: "utf8", env: { ...process.env, ...at.env } });
    expect(filesOf(await say("list")).sort()).toEqual(known.trimEnd().split("\n").sort());
  });
});

/** The paths of the files in a tree. */
function filesOf(tree: string): string[] {
  const above: string[] = [];
  return tree
    .split("\n")
    .slice(1)
    .flatMap((line) => {
      const depth = line.search(/\S/) / 2;
      above.length = depth;
      above[depth] = line.trim();
      return line.endsWith("/") || line.endsWith("]") ? [] : [above.slice(1).join("")];
    });
}
