import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { outputOf } from "../../../src/index.ts";
import { openBuiltins } from "../../support/builtins.ts";
import type { Sandbox } from "../../support/fixture.ts";

const HIDDEN = "**/*SECRET*";
const DENY = { permissions: [{ tool: "*", match: HIDDEN, action: "deny" }] };

type Opened = Awaited<ReturnType<typeof openBuiltins>>;

function git(at: Pick<Sandbox, "project" | "env">, ...args: string[]): void {
  const who = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@b" };
  execFileSync("git", args, { cwd: at.project, env: { ...at.env, ...who }, stdio: "pipe" });
}

function put(at: Sandbox, path: string, text: string): void {
  mkdirSync(dirname(join(at.project, path)), { recursive: true });
  writeFileSync(join(at.project, path), text);
}

/** A project in a repository, without settings of its own, in which these files are committed. */
async function committed(files: Record<string, string>, settings: object = DENY): Promise<Opened> {
  const opened = await openBuiltins(files, { settings });
  rmSync(join(opened.at.project, ".toolwright"), { recursive: true, force: true });
  git(opened.at, "init", "--quiet", "--initial-branch=main");
  git(opened.at, "add", "--all");
  git(opened.at, "commit", "--quiet", "--message", "first", "--allow-empty");
  return opened;
}

const LINES = "1\n2\n3\n4\n5\n6\n7\n8\n";

describe("[B11] [P3] [X1] tools of git name no file that a rule denies", () => {
  /** A change, what git-status says, and what git-diff-summary says of unstaged or staged changes. */
  it.each<[name: string, change: (at: Sandbox) => void, status: string, unstaged: string, staged: string]>([
    ["modified", (at) => put(at, "SECRET", "x\n"), "", "", ""],
    ["deleted", (at) => rmSync(join(at.project, "SECRET")), "", "", ""],
    [
      "modified beside another",
      (at) => {
        put(at, "SECRET", "x\n");
        put(at, "a", "x\n");
      },
      " M a\n",
      " a | 9 +--------\n 1 file changed, 1 insertion(+), 8 deletions(-)\n",
      "",
    ],
    [
      "staged",
      (at) => {
        put(at, "SECRET", "x\n");
        put(at, "a", "x\n");
        git(at, "add", "--all");
      },
      "M  a\n",
      "",
      " a | 9 +--------\n 1 file changed, 1 insertion(+), 8 deletions(-)\n",
    ],
    ["untracked", (at) => put(at, "my SECRET", "x"), "", "", ""],
    ["in an untracked folder", (at) => put(at, "SECRETS/a", "x"), "", "", ""],
    ["the only file of an untracked folder", (at) => put(at, "new/deep/SECRET", "x"), "?? new/\n", "", ""],
    [
      "one file of an untracked folder",
      (at) => {
        put(at, "new/SECRET", "x");
        put(at, "new/b", "x");
      },
      "?? new/\n",
      "",
      "",
    ],
    [
      "with an unusual name",
      (at) => {
        put(at, 'S "SECRET"\t\\', "x");
        put(at, 'b "q"\t\\', "x");
      },
      '?? "b \\"q\\"\\t\\\\"\n',
      "",
      "",
    ],
    [
      "with a line break in its name",
      (at) => {
        put(at, "x\nSECRET", "x");
        put(at, "x\ny", "x");
      },
      '?? "x\\ny"\n',
      "",
      "",
    ],
    [
      "renamed to a denied name",
      (at) => git(at, "mv", "a", "b SECRET"),
      "D  a\n",
      "",
      " a | 8 --------\n 1 file changed, 8 deletions(-)\n",
    ],
    [
      "renamed from a denied name",
      (at) => git(at, "mv", "SECRET", "open name"),
      'A  "open name"\n',
      "",
      " open name | 8 ++++++++\n 1 file changed, 8 insertions(+)\n",
    ],
    ["renamed between denied names", (at) => git(at, "mv", "SECRET", "SECRET2"), "", "", ""],
    [
      "renamed openly",
      (at) => git(at, "mv", "a", "b"),
      "R  a -> b\n",
      "",
      " a => b | 0\n 1 file changed, 0 insertions(+), 0 deletions(-)\n",
    ],
    [
      "renamed and changed",
      (at) => {
        git(at, "mv", "SECRET", "b");
        put(at, "b", `${LINES.replaceAll("\n", "x\n")}9\n`);
      },
      "AM b\n",
      " b | 1 +\n 1 file changed, 1 insertion(+)\n",
      " b | 8 ++++++++\n 1 file changed, 8 insertions(+)\n",
    ],
  ])("%s", async (_, change, status, unstaged, staged) => {
    const { at, call, say } = await committed({ a: LINES, SECRET: LINES.replaceAll("\n", "x\n") });
    change(at);
    const result = await call("git-status");
    const lines = status === "" ? 0 : status.split("\n").length - 1;
    expect(outputOf(result)).toBe(status || "Nothing has changed: no modified and no untracked files.");
    expect(result).toMatchObject({ ok: true, data: { changes: lines } });
    expect(await say("git-diff-summary")).toEqual(
      unstaged || expect.stringMatching(/^No tracked file has unstaged changes/),
    );
    expect(await say("git-diff-summary", { staged: true })).toEqual(
      staged || expect.stringMatching(/^Nothing is staged/),
    );
    const inner = JSON.stringify([
      result,
      await call("git-diff-summary"),
      await call("git-diff-summary", { staged: true }),
    ]);
    expect(inner).not.toContain("SECRET");
  });

  it("in a conflict, and a submodule", async () => {
    const { at, say } = await committed({ a: "1", SECRET: "1" });
    const other = { ...at, project: join(at.root, "other") };
    mkdirSync(other.project);
    git(other, "init", "--quiet");
    git(other, "commit", "--quiet", "--message", "x", "--allow-empty");
    git(at, "checkout", "--quiet", "-b", "side");
    for (const path of ["a", "SECRET"]) put(at, path, "side");
    git(at, "commit", "--quiet", "--all", "--message", "side");
    git(at, "checkout", "--quiet", "main");
    for (const path of ["a", "SECRET"]) put(at, path, "main");
    git(at, "commit", "--quiet", "--all", "--message", "main");
    expect(() => git(at, "merge", "side")).toThrow();
    for (const path of ["SECRETsub", "sub"]) {
      git(at, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.project, path);
    }
    rmSync(join(at.project, ".gitmodules"));
    git(at, "rm", "--quiet", "--cached", ".gitmodules");
    expect(await say("git-status")).toBe("UU a\nA  sub\n");
  });

  it("from a folder below the root, with a path, and by rules for one tool", async () => {
    const permissions = [{ tool: "git-status", match: "sub/b", action: "deny" }];
    const { at, say } = await committed({ "sub/a": "1", "sub/b": "1" }, { permissions });
    for (const path of ["sub/a", "sub/b"]) put(at, path, "2");
    for (const more of [{}, { directory: join(at.project, "sub") }]) {
      expect(await say("git-status", {}, more)).toBe(" M sub/a\n");
      expect(await say("git-diff-summary", {}, more)).toContain("2 files changed");
    }
    expect(await say("git-status", { path: "sub" })).toBe(" M sub/a\n");
  });

  it("also many of them", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, index) => [`many/SECRET${"x".repeat(60)}${index}`, "1"]),
    );
    const { at, say } = await committed({ ...files, a: "1\n" });
    for (const path of [...Object.keys(files), "a"]) put(at, path, "2\n");
    expect(await say("git-status")).toBe(" M a\n");
    expect(await say("git-diff-summary")).toBe(" a | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n");
  });
});

describe("[B5] [B6] [B7] [P3] [X1] searches count and name no file that a rule denies", () => {
  it("list: entries for which there is no room, and targets of links", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `SECRET${index}`);
    const files = Object.fromEntries(
      [...names, "a", "b", "c", "deep/x", ...names.map((name) => `deep/${name}`)].map((path) => [path, ""]),
    );
    const settings = { ...DENY, toolLimits: { list: { entries: 3, depth: 1 } } };
    const { at, say } = await openBuiltins(files, { settings });
    rmSync(join(at.project, ".toolwright"), { recursive: true, force: true });
    const cut = await say("list");
    expect(cut).not.toMatch(/SECRET|2\d/);
    expect(cut).toContain("1 more");
    const { at: linked, say: sayLinked } = await openBuiltins({ SECRET: "", "d/SECRET": "" }, { settings: DENY });
    rmSync(join(linked.project, ".toolwright"), { recursive: true, force: true });
    symlinkSync("SECRET", join(linked.project, "l1"));
    symlinkSync(join(linked.project, "SECRET"), join(linked.project, "l2"));
    symlinkSync("../SECRET", join(linked.project, "d/l3"));
    symlinkSync("l1", join(linked.project, "l4"));
    expect(await sayLinked("list")).toBe("./\n  d/\n    l3 -> ?\n  l1 -> ?\n  l2 -> ?\n  l4 -> l1");
  });

  it("glob: older files", async () => {
    const open = Array.from({ length: 5 }, (_, index) => `open${index}`);
    const hidden = Array.from({ length: 50 }, (_, index) => `SECRET${index}`);
    const files = Object.fromEntries([...open, ...hidden].map((path) => [path, ""]));
    const { at, call } = await openBuiltins(files, { settings: { ...DENY, toolLimits: { glob: { results: 2 } } } });
    for (const [index, path] of [...open, ...hidden].entries())
      utimesSync(join(at.project, path), 1_000 - index, 1_000 - index);
    renameSync(join(at.project, "SECRET0"), join(at.project, "SECRET"));
    const found = await call("glob", { pattern: "*" });
    expect(outputOf(found)).toBe(
      "The 2 newest files; 3 older ones match as well. Narrow it down with a longer pattern or a path.\n\nopen0\nopen1",
    );
    expect(found).toMatchObject({ data: { files: 2, more: 3 } });
    expect(await call("glob", { pattern: "*[14T]" })).toMatchObject({ data: { files: 2, more: 0 } });
  });

  it("grep: matches", async () => {
    const files = { a: "x\n", SECRET: "x\n".repeat(50) };
    const { call } = await openBuiltins(files, { settings: { ...DENY, toolLimits: { grep: { results: 1 } } } });
    expect(await call("grep", { pattern: "x", include: "*" })).toMatchObject({
      data: { matches: 1, files: 1, more: false },
    });
  });
});
