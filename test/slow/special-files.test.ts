import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openBuiltins } from "../support/builtins.ts";
import { sandbox } from "../support/fixture.ts";
import { answering, open } from "../support/toolbox.ts";

const FILES = { "a.txt": "needle\n", "sub/b.txt": "needle\n", "sub/deep/c.txt": "needle\n" };

function pipe(...path: string[]): void {
  execFileSync("mkfifo", [join(...path)]);
}

function blocked(program: string, ...path: string[]): string {
  return `${program} would wait forever: "${join(...path)}" is not a regular file but a pipe or a device. Ask the user to remove it.`;
}

describe("[B4] [B5] [X1] an ignore file that is a pipe does not block a search", () => {
  it.each([
    [".gitignore", ""],
    [".ignore", ""],
    [".rgignore", "sub"],
    [".gitignore", "sub/deep"],
  ])("%s in %j", async (name, folder) => {
    const { say, at } = await openBuiltins(FILES);
    pipe(at.project, folder, name);
    const message = blocked("ripgrep", at.project, folder, name);
    expect(await say("grep", { pattern: "needle" })).toBe(message);
    expect(await say("grep", { pattern: "needle", path: "sub" })).toBe(message);
    expect(await say("glob", { pattern: "**/*.txt" })).toBe(message);
    expect(await say("glob", { pattern: "**/*.txt", path: "sub/deep" })).toBe(message);
    expect(await say("grep", { pattern: "needle", path: "a.txt" })).toContain("needle");
    expect(await say("list")).toContain("c.txt");
  });

  it("neither does a pipe behind a link; a folder of that name is ignored", async () => {
    const { say, at } = await openBuiltins({ ...FILES, "more/.gitignore": "no.txt\n", "more/no.txt": "needle\n" });
    mkdirSync(join(at.project, "sub/deep/.ignore"));
    const found = await say("grep", { pattern: "needle" });
    expect(found).toContain("c.txt");
    expect(found).not.toContain("no.txt");
    pipe(at.project, "waits");
    symlinkSync("../waits", join(at.project, "sub/.gitignore"));
    expect(await say("grep", { pattern: "needle" })).toBe(blocked("ripgrep", at.project, "sub/.gitignore"));
  });

  it.each(["pipe", "folder"])(".git may be a %s", async (what) => {
    const { say, at } = await openBuiltins(FILES);
    rmSync(join(at.project, ".git"), { recursive: true, force: true });
    if (what === "pipe") pipe(at.project, ".git");
    else mkdirSync(join(at.project, ".git"));
    expect(await say("grep", { pattern: "needle" })).toContain("c.txt");
    expect(await say("glob", { pattern: "**/*.txt" })).toMatch(/^3 files, newest first\./);
    expect(await say("git-status")).toContain("is not in a git repository");
  });
});

describe("[B11] [X1] a pipe that git would read ends the call with advice", () => {
  const git = (cwd: string, ...args: string[]): void => {
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.test", ...args], { cwd, stdio: "ignore" });
  };

  it.each([".gitignore", "sub/.gitattributes", ".git/info/exclude", ".git/config"])("%s", async (path) => {
    const { say, at } = await openBuiltins(FILES);
    rmSync(join(at.project, ".git"), { recursive: true, force: true });
    git(at.project, "init", "-q");
    git(at.project, "add", ".");
    git(at.project, "commit", "-qm", "first");
    writeFileSync(join(at.project, "sub/b.txt"), "changed\n");
    expect(await say("git-status")).toContain("sub/b.txt");
    rmSync(join(at.project, path), { force: true });
    pipe(at.project, path);
    const tool = path.endsWith(".gitattributes") ? "git-diff-summary" : "git-status";
    expect(await say(tool)).toBe(blocked("git", at.project, path));
  });
});

describe("[B11] [X1] git does not wait for a pipe that its configuration names", () => {
  const configure = (project: string, name: string, path: string): string => {
    execFileSync("git", ["config", name, path], { cwd: project });
    pipe(project, "waits");
    return "waits";
  };
  const CASES: Record<string, (project: string) => string> = {
    "core.excludesFile": (project) => configure(project, "core.excludesFile", join(project, "waits")),
    "include.path": (project) => configure(project, "include.path", "../waits"),
    "a .git that is a file": (project) => {
      renameSync(join(project, ".git"), join(project, "kept"));
      writeFileSync(join(project, ".git"), "gitdir: kept\n");
      rmSync(join(project, "kept/info/exclude"));
      pipe(project, "kept/info/exclude");
      return "kept/info/exclude";
    },
  };

  it.each(Object.keys(CASES))("%s", async (name) => {
    const { say, at } = await openBuiltins(FILES);
    rmSync(join(at.project, ".git"), { recursive: true, force: true });
    execFileSync("git", ["init", "-q"], { cwd: at.project });
    const path = CASES[name]?.(at.project) ?? "";
    expect(await say("git-status")).toBe(blocked("git", at.project, path));
  });
});

describe("[X1] pipes instead of files that are read at the start", () => {
  it("block no command", async () => {
    const at = sandbox({ "good.js": answering('"good"'), "described.js": answering('"described"', "") });
    for (const path of ["described.txt", "pipe.js", "pipe.json", "good.txt"]) pipe(at.tools, path);
    for (const path of [".mcp.json", "opencode.json", ".toolwright/settings.json"]) {
      pipe(at.project, path);
    }
    mkdirSync(at.env.TOOLWRIGHT_HOME as string, { recursive: true });
    const user = join(at.env.TOOLWRIGHT_HOME as string, "settings.json");
    writeFileSync(user, '{ "mcp": { "import": true }, "mode": "acceptEdits" }');
    const { say } = await open(at, { builtins: ["write"] });
    expect(await say("good")).toBe("good");
    renameSync(join(at.project, ".mcp.json"), join(at.project, "check.sh"));
    expect(await say("write", { filePath: "a.ts", content: "x" })).toBe("Created a.ts (1 line, 1 byte).");
  });
});
