import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { withoutCredentials } from "../../../src/builtins/git/remote-url.ts";
import { outputOf } from "../../../src/index.ts";
import { openBuiltins } from "../../support/builtins.ts";
import type { Sandbox } from "../../support/fixture.ts";
import { temporary } from "../../support/temporary.ts";

type Opened = Awaited<ReturnType<typeof openBuiltins>>;

/** A project with these files committed on the branch "main". */
async function committed(files: Record<string, string>, more: object = {}): Promise<Opened> {
  const opened = await openBuiltins(files, more);
  git(opened.at, "init", "--quiet", "--initial-branch=main");
  if (Object.keys(files).length > 0) commit(opened.at);
  return opened;
}

/** Runs git like a person, with all its features enabled. */
function git(at: Pick<Sandbox, "project" | "env">, ...args: string[]): string {
  const who = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@b" };
  return execFileSync("git", args, { cwd: at.project, env: { ...at.env, ...who }, encoding: "utf8", stdio: "pipe" });
}

function commit(at: Sandbox): void {
  git(at, "add", "--all", ":!.toolwright");
  git(at, "commit", "--quiet", "--message", "first");
}

function put(at: Sandbox, path: string, text: string): void {
  mkdirSync(dirname(join(at.project, path)), { recursive: true });
  writeFileSync(join(at.project, path), text);
}

describe("[B13] [X1] a repository outside the project", () => {
  const TOOLS = ["git-status", "git-diff-summary", "workspace-info"];

  /** Another repository of the user, beside the project. */
  function elsewhere(at: Sandbox): string {
    const folder = join(at.root, "private");
    mkdirSync(folder);
    writeFileSync(join(folder, "SECRET.txt"), "x");
    const there = { ...at, project: folder };
    git(there, "init", "--quiet", "--initial-branch=SECRET");
    git(there, "remote", "add", "origin", "https://example.com/SECRET");
    commit(there);
    return folder;
  }

  it.each<[string, (at: Sandbox, other: string) => void]>([
    [".git is a link", (at, other) => symlinkSync(join(other, ".git"), join(at.project, ".git"))],
    [".git names a folder", (at, other) => put(at, ".git", `gitdir: ${join(other, ".git")}\n`)],
    [".git names a folder by a relative path", (at) => put(at, ".git", "gitdir: ../private/.git\n")],
    [
      "what it shares is elsewhere",
      (at, other) => {
        git(at, "init", "--quiet");
        put(at, ".git/commondir", join(other, ".git"));
      },
    ],
  ])("is not shown if %s", async (_, make) => {
    const { at, call } = await openBuiltins();
    rmSync(join(at.project, ".git"), { recursive: true });
    make(at, elsewhere(at));
    for (const tool of TOOLS) {
      const result = await call(tool);
      expect({ tool, ok: result.ok, says: outputOf(result).includes("SECRET") }).toEqual({
        tool,
        ok: false,
        says: false,
      });
    }
  });

  it("is shown if it belongs to the project: a worktree, and a submodule", async () => {
    const { at } = await openBuiltins();
    const main = { ...at, project: elsewhere(at) };
    git(main, "worktree", "add", "--quiet", "-b", "side", join(at.root, "side"));
    git(main, "-c", "protocol.file.allow=always", "submodule", "add", "--quiet", main.project, "sub");
    for (const cwd of [join(at.root, "side"), join(main.project, "sub")]) {
      const { call } = await openBuiltins({}, { cwd });
      for (const tool of TOOLS) expect(await call(tool)).toMatchObject({ ok: true });
    }
  });
});

describe("git-status", () => {
  it("[B11] lists changes like git, with unquoted names", async () => {
    const { at, call } = await committed({ "a.txt": "one\n", "old name.txt": "a\nb\nc\nd\n", "gone.txt": "x\n" });
    put(at, "a.txt", "two\n");
    put(at, "ünï/文.txt", "new");
    rmSync(join(at.project, "gone.txt"));
    git(at, "mv", "old name.txt", "new.txt");
    const result = await call("git-status");
    expect(outputOf(result)).toBe(' M a.txt\n D gone.txt\nR  "old name.txt" -> new.txt\n?? ünï/\n');
    expect(result).toMatchObject({ ok: true, data: { changes: 4 }, notes: { title: "4 changes" } });
  });

  it("[B11] is limited to one folder or file, also a deleted one, and accepts no patterns", async () => {
    const { at, say } = await committed({ "sub/a.txt": "a", "sub/b.txt": "b", "c.txt": "c" });
    for (const path of ["sub/a.txt", "c.txt"]) put(at, path, "changed");
    rmSync(join(at.project, "sub/b.txt"));
    expect(await say("git-status", { path: "sub" })).toBe(" M sub/a.txt\n D sub/b.txt\n");
    expect(await say("git-status", { path: "sub/b.txt" })).toBe(" D sub/b.txt\n");
    expect(await say("git-status", { path: join(at.project, "c.txt") })).toBe(" M c.txt\n");
    expect(await say("git-status", { path: ":(top)" })).toBe(
      'There is no ":(top)", and git reports no change there. Check the path.',
    );
    git(at, "add", "--all", "sub", "c.txt");
    git(at, "commit", "--quiet", "--message", "second");
    expect(await say("git-status", { path: "sub" })).toBe(
      'Nothing has changed in "sub": no modified and no untracked files.',
    );
    put(at, ".gitignore", ".toolwright\n");
    git(at, "add", ".gitignore");
    git(at, "commit", "--quiet", "--message", "third");
    expect(await say("git-status")).toBe("Nothing has changed: no modified and no untracked files.");
  });

  it("[B11] works before the first commit, in a nested repository, and from a folder below the root", async () => {
    const { at, say } = await committed({});
    put(at, "sub/a.txt", "a");
    put(at, "nested/b.txt", "b");
    expect(await say("git-status", { path: "sub" })).toBe("?? sub/\n");
    git({ project: join(at.project, "nested"), env: at.env }, "init", "--quiet");
    expect(await say("git-status", { path: "nested" })).toBe("?? b.txt\n");
    expect(await say("git-status", { path: "sub" }, { directory: join(at.project, "sub") })).toMatch(
      /^There is no "sub"/,
    );
    expect(await say("git-status", {}, { directory: join(at.project, "sub") })).toContain("?? sub/\n");
  });
});

describe("git-diff-summary", () => {
  it("[B11] summarizes staged and unstaged changes", async () => {
    const { at, say, call } = await committed({ "a.txt": "1\n2\n", "ünï.txt": "1\n" });
    expect(await say("git-diff-summary")).toBe(
      'No tracked file has unstaged changes. Send "staged": true for staged changes; git-status lists new files.',
    );
    expect(await say("git-diff-summary", { staged: true })).toBe(
      'Nothing is staged. Leave "staged" out to see unstaged changes.',
    );
    put(at, "a.txt", "1\n3\n4\n");
    put(at, "ünï.txt", "2\n");
    git(at, "add", "a.txt");
    const unstaged = await call("git-diff-summary", { staged: false });
    expect(outputOf(unstaged)).toBe(" ünï.txt | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n");
    expect(unstaged.data).toEqual({ staged: false, summary: "1 file changed, 1 insertion(+), 1 deletion(-)" });
    expect(await say("git-diff-summary", { staged: true })).toBe(
      " a.txt | 3 ++-\n 1 file changed, 2 insertions(+), 1 deletion(-)\n",
    );
  });

  it("[B11] works before the first commit, and does not shorten names", async () => {
    const { at, say } = await committed({});
    const name = `${"long/".repeat(30)}name.txt`;
    put(at, name, "1\n");
    git(at, "add", name);
    expect(await say("git-diff-summary", { staged: true })).toBe(` ${name} | 1 +\n 1 file changed, 1 insertion(+)\n`);
  });
});

describe("workspace-info", () => {
  const info = async ({ say }: Pick<Opened, "say">): Promise<unknown> => JSON.parse(await say("workspace-info"));

  it("[B11] returns the folder of the project, its branch and its remote", async () => {
    const opened = await committed({ "a.txt": "a" });
    const { project } = opened.at;
    const about = { projectPath: project, repositoryRoot: project, branch: "main", remoteUrl: null };
    expect(await info(opened)).toEqual(about);
    git(opened.at, "remote", "add", "zeta", "https://someone:secret@example.com:8443/a/b.git?token=x");
    expect(await info(opened)).toEqual({ ...about, remoteUrl: "https://example.com:8443/a/b.git" });
    git(opened.at, "remote", "add", "origin", "git@example.com:a/b.git");
    expect(await info(opened)).toEqual({ ...about, remoteUrl: "git@example.com:a/b.git" });
    git(opened.at, "config", "branch.main.remote", "zeta");
    expect(await info(opened)).toEqual({ ...about, remoteUrl: "https://example.com:8443/a/b.git" });
    const head = git(opened.at, "rev-parse", "--short", "HEAD").trim();
    git(opened.at, "checkout", "--quiet", "--detach");
    expect(await info(opened)).toEqual({ ...about, branch: null, commit: head, remoteUrl: "git@example.com:a/b.git" });
    expect((await opened.call("workspace-info")).data).toMatchObject({ projectPath: project, commit: head });
  });

  it("[B11] works before the first commit, without a repository and without git", async () => {
    const fresh = await committed({});
    expect(await info(fresh)).toMatchObject({ branch: "main", remoteUrl: null });
    const none = await openBuiltins();
    expect(await info(none)).toEqual({
      projectPath: none.at.project,
      repositoryRoot: null,
      branch: null,
      remoteUrl: null,
      note: "This is not in a git repository.",
    });
    const without = await openBuiltins({}, { variables: { PATH: temporary() } });
    expect(await info(without)).toMatchObject({
      branch: null,
      note: "git was not found on PATH (folders of this project are skipped). Continue without it, or ask the user to install it.",
    });
  });

  it.each([
    ["https://user:token@host/a.git", "https://host/a.git"],
    ["https://token@host/a.git", "https://host/a.git"],
    ["https://user:p@ss@host/a.git", "https://host/a.git"],
    ["HTTPS://user:token@host/a.git", "HTTPS://host/a.git"],
    ["https://host/a.git?private_token=x#y", "https://host/a.git"],
    ["https://user:pa/ss@host/a.git", "https://(not shown: it may contain a password)"],
    ["https://host/scope@v1/a.git", "https://host/scope@v1/a.git"],
    ["https://proxy/https://user:token@host/a.git", "https://proxy/https://host/a.git"],
    ["https://[::1]:8080/a.git", "https://[::1]:8080/a.git"],
    ["ssh://git@host:22/a.git", "ssh://git@host:22/a.git"],
    ["ssh://git:secret@host/a.git", "ssh://git@host/a.git"],
    ["git@host:a/b.git", "git@host:a/b.git"],
    ["user:secret@host:a/b.git", "(not shown: it may contain a password)"],
    ["codecommit::https://user:token@host/a", "codecommit::https://host/a"],
    ["ext::sh -c curl%20-u%20a:b", "ext::(not shown: it may contain a password)"],
    ["/srv/git/a.git", "/srv/git/a.git"],
    ["file:///srv/a.git", "file:///srv/a.git"],
    ["C:\\repos\\a@b.git", "C:\\repos\\a@b.git"],
    ["C:/repos/a@b.git", "C:/repos/a@b.git"],
  ])("[B11] [X1] shows %s as %s", (address, shown) => {
    expect(withoutCredentials(address)).toBe(shown);
  });
});

describe("the git tools", () => {
  it.each(["git-status", "git-diff-summary"])(
    "[B11] %s reports a missing repository, missing git and missing permission",
    async (name) => {
      const { at, call, say } = await openBuiltins();
      expect(await call(name)).toMatchObject({ ok: false, error: { code: "failed" } });
      expect(await say(name)).toBe(`${at.project} is not in a git repository. Continue without git.`);
      const without = await openBuiltins({}, { variables: { PATH: temporary() } });
      expect(await without.say(name)).toBe(
        "git was not found on PATH (folders of this project are skipped). Continue without it, or ask the user to install it.",
      );
      const settings = { permissions: [{ tool: "git-*", action: "deny" }] };
      const refused = await openBuiltins({}, { settings });
      expect(await refused.call(name)).toMatchObject({ ok: false, error: { code: "denied" } });
    },
  );

  it("[B11] [B13] read nothing outside the project", async () => {
    const outside = temporary();
    const { at, call } = await committed({ "a.txt": "a" });
    symlinkSync(outside, join(at.project, "link"));
    for (const path of [outside, "..", "link"]) {
      expect(await call("git-status", { path })).toMatchObject({ ok: false, error: { code: "denied" } });
    }
    // The settings of a repository can point to files elsewhere.
    put(at, "b.txt", "b");
    writeFileSync(join(at.root, "beside.txt"), "not yours");
    git(at, "config", "core.worktree", at.root);
    expect(outputOf(await call("git-status"))).toBe("?? project/\n");
    git(at, "config", "core.worktree", outside);
    expect(await call("git-status")).toMatchObject({ ok: false });
  });

  it("[B11] neither run a git program of the project, nor read the repository that a variable names", async () => {
    const other = await committed({ "other.txt": "x" });
    put(other.at, "other.txt", "y");
    const variables = { GIT_DIR: join(other.at.project, ".git"), GIT_WORK_TREE: other.at.project };
    const PATH = `:.:bin:${process.env.PATH}`;
    const { at, say } = await committed({ "a.txt": "a" }, { variables: { ...variables, PATH } });
    put(at, "bin/git", `#!/bin/sh\ntouch ${at.root}/ran\n`);
    put(at, "git", `#!/bin/sh\ntouch ${at.root}/ran\n`);
    for (const file of ["bin/git", "git"]) chmodSync(join(at.project, file), 0o755);
    put(at, "a.txt", "b");
    expect(await say("git-diff-summary")).toContain(" a.txt | 2 +-\n");
    expect(existsSync(join(at.root, "ran"))).toBe(false);
  });

  it("[B11] end when the call is cancelled", async () => {
    const { toolbox } = await committed({ "a.txt": "a" });
    const going = toolbox.call({ name: "git-status", input: {} });
    going.abort();
    expect(await going.result).toMatchObject({ ok: false, error: { code: "aborted" } });
  });
});

describe("a malicious repository", () => {
  const TRAPS: Record<string, (at: Sandbox, program: string) => void> = {
    "a file system monitor": (at, program) => void git(at, "config", "core.fsmonitor", program),
    "a content filter": (at, program) => {
      git(at, "config", "filter.evil.clean", `${program}; cat`);
      git(at, "config", "filter.evil.required", "true");
    },
    "a long-running filter": (at, program) => void git(at, "config", "filter.evil.process", program),
    "a filter in an included file": (at, program) => {
      put(at, "more.config", `[filter "evil"]\n\tclean = "${program}; cat"\n`);
      git(at, "config", "include.path", join(at.project, "more.config"));
    },
    "an external diff": (at, program) => void git(at, "config", "diff.external", program),
    "a text converter": (at, program) => void git(at, "config", "diff.evil.textconv", program),
    "a diff driver": (at, program) => void git(at, "config", "diff.evil.command", program),
    "a pager": (at, program) => void git(at, "config", "core.pager", program),
    "a hook": (at, program) => {
      symlinkSync(program, join(at.project, ".git/hooks/post-index-change"));
      git(at, "config", "core.fsmonitor", "");
    },
    "an alias": (at, program) => void git(at, "config", "alias.status", `!${program}`),
    "a partial clone": (at, program) => {
      const blob = git(at, "rev-parse", "HEAD:a.txt").trim();
      git(at, "config", "core.repositoryFormatVersion", "1");
      git(at, "config", "extensions.partialClone", "origin");
      git(at, "remote", "add", "origin", at.project);
      git(at, "config", "remote.origin.promisor", "true");
      git(at, "config", "remote.origin.uploadpack", program);
      git(at, "config", "protocol.file.allow", "always");
      rmSync(join(at.project, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    },
  };
  /** The traps that work with plain git, so that the test is known to be effective. */
  const SPRUNG = [
    "a file system monitor",
    "a content filter",
    "a long-running filter",
    "a filter in an included file",
    "a hook",
    "a partial clone",
  ];

  it.each(Object.keys(TRAPS))("[B11] [X1] runs no program: %s", async (name) => {
    const { at, call } = await committed({ "a.txt": "1\n", ".gitattributes": "*.txt filter=evil diff=evil\n" });
    const mark = join(at.root, "ran");
    const program = join(at.root, "program");
    writeFileSync(program, `#!/bin/sh\ntouch "${mark}"\n`);
    chmodSync(program, 0o755);
    TRAPS[name]?.(at, program);
    put(at, "a.txt", "2\n");
    for (const tool of ["git-status", "git-diff-summary", "workspace-info"]) await call(tool);
    await call("git-diff-summary", { staged: true });
    expect(existsSync(mark)).toBe(false);
    if (!SPRUNG.includes(name)) return;
    // Git writes the index, and runs its hook, only if an unchanged file has another time.
    utimesSync(join(at.project, ".gitattributes"), 1, 1);
    for (const args of [["status"], ["diff", "--stat"]]) {
      try {
        git(at, ...args);
      } catch {
        // Only whether the program ran matters.
      }
    }
    expect(existsSync(mark)).toBe(true);
  });

  it("[B11] [X1] has its submodules skipped, and the user's filters are still applied", async () => {
    const inner = await committed({ "in.txt": "1\n" });
    const { at, say } = await committed({ "a.txt": "one\n", ".gitattributes": "a.txt filter=upper\n" });
    const mark = join(at.root, "ran");
    git(at, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.at.project, "part");
    git(at, "commit", "--quiet", "--message", "part");
    const part = { project: join(at.project, "part"), env: at.env };
    git(part, "config", "core.fsmonitor", `touch ${mark};`);
    writeFileSync(join(at.project, "part/in.txt"), "2\n");
    git(at, "config", "--global", "filter.upper.clean", "tr a-z A-Z");
    git(at, "config", "filter.upper.clean", `touch ${mark}; cat`);
    put(at, "a.txt", "other\n");
    git(at, "-c", "filter.upper.clean=tr a-z A-Z", "add", "a.txt");
    put(at, "a.txt", "Other\n");
    expect(await say("git-status")).toBe("M  a.txt\n");
    expect(await say("git-status", { path: "part" })).toBe(" M in.txt\n");
    expect(await say("git-diff-summary")).toMatch(/^No tracked file has unstaged changes/);
    expect(existsSync(mark)).toBe(false);
  });
});
