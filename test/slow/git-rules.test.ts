import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { coversCommand } from "../../src/settings/permissions/covers-command.ts";
import { put, temporary } from "../support/temporary.ts";

/** Rules with wildcards for git that the documents name. */
const DOCUMENTED = ["docs/permissions.md", "SECURITY.md"]
  .flatMap((file) => [...readFileSync(join(import.meta.dirname, "../..", file), "utf8").matchAll(/`(git [^`]*\*)`/g)])
  .map(([, rule = ""]) => rule);

/** Runs a command in a new repository, and returns whether it has left a file called `mark`. */
function leavesMark(command: string): boolean {
  const folder = temporary();
  put(join(folder, "a.md"), "a\n");
  const env = {
    PATH: `${join(folder, "bin")}:${process.env.PATH}`,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
  };
  const run = (text: string) => spawnSync("bash", ["-c", text], { cwd: folder, env, timeout: 20_000, stdio: "ignore" });
  run(
    "git init -q && git config user.name a && git config user.email a@b.test && git config diff.external 'touch mark;true' && git config alias.x '!touch mark' && git add a.md && git commit -qm a && echo b >> a.md && git commit -qam b",
  );
  put(join(folder, "--output=mark.md"));
  run(
    "git diff HEAD HEAD~1 > patch && git init -q --bare hooked && git push -q ./hooked HEAD:m && git --git-dir hooked symbolic-ref HEAD refs/heads/m && git --git-dir hooked config tar.mark.remote true && git --git-dir hooked config tar.mark.command 'touch $OLDPWD/mark; touch ../mark; true' && mkdir sub && cp -r hooked sub",
  );
  for (const program of ["hooked/hooks/pre-receive", "sub/hooked/hooks/pre-receive", "bin/git-remote-mark"]) {
    chmodSync(put(join(folder, program), `#!/bin/sh\ntouch '${folder}/mark'\n`), 0o755);
  }
  run(command);
  return existsSync(join(folder, "mark")) || existsSync(join(folder, "mark.md"));
}

describe("[P3] [X1] a wildcard in a rule for git", () => {
  it.each([
    ["git log *", "git log --output=mark"],
    ["git log *", "git log -1 --output mark"],
    ["git log *", "git log '--output=mark'"],
    ["git log *", "git log --out\\put=mark"],
    ["git log *", "git log {--output=mark,-1}"],
    ["git log *", "git log -p --ext-diff"],
    ["git log *", "git log *.md"],
    ["git log *", 'git log ""*.md'],
    ["git log*", "git log --output=mark"],
    ["git show *", "git show --output=mark"],
    ["git diff *", "git diff --output=mark HEAD~1"],
    ["/usr/bin/git log *", "/usr/bin/git log --output=mark"],
    ["timeout 9 git log *", "timeout 9 git log --output=mark"],
    ["command git log *", "command git log --output=mark"],
    ["git log * > out *", "git log -1 > out --output=mark"],
    ["git *", "git x"],
    ["git *", "git -c alias.y='!touch mark' y"],
    ["git grep *", "git grep -O'touch mark;true' a"],
    ["git grep *", "git grep -iO'touch mark;true' a"],
    ["git grep *", "git grep --open-files='touch mark;true' a"],
    ["git rebase *", "git rebase -x 'touch mark' HEAD~1"],
    ["git rebase *", "git rebase --exe='touch mark' HEAD~1"],
    ["git fetch *", "git fetch --upload-pack='touch mark;true' ."],
    ["git ls-remote *", "git ls-remote --upl='touch mark;true' ."],
    ["git push *", "git push --receive-pack='touch mark;true' . HEAD:c"],
    ["git push*", "git push --exec='touch mark;true' . HEAD:c"],
    ["git archive *", "git archive -omark HEAD"],
    ["git bundle *", "git bundle create mark HEAD"],
    ["git worktree *", "git worktree add mark"],
    ["git apply *", "git apply --build-fake-ancestor=mark patch"],
    ["git *", "git push ./hooked HEAD:b"],
    ["git push *", "git push --all --repo=./hooked"],
    ["git *", "git ls-remote mark::a"],
    ["git *", "git ls-remote mark://a"],
    ["git fetch *", "git fetch mark://a/b"],
    ["git pull*", "git pull mark://a main"],
    ["git *", "git remote show mark://a"],
    ["git *", "git request-pull HEAD~1 mark://a"],
    ["git *", "git push sub/hooked HEAD:b"],
    ["git push *", "git push -q 'sub/hooked' HEAD:b"],
    ["git push *", "git push hooked/ HEAD:b"],
    ["git push *", "git push hook* HEAD:b"],
    ["git push *", "git push --repo=sub/hooked --all"],
    ["git push *", "git push --repo sub/hooked --all"],
    ["git archive *", "git archive --remote=./hooked --format=mark m"],
    ["git *", "git archive --remote hooked --format=mark HEAD"],
    ["git difftool *", "git difftool -y -x 'touch mark' HEAD~1"],
  ])("%j does not cover %j", (rule, command) => {
    expect(coversCommand(rule, command, "allow")).toBe(false);
    expect(leavesMark(command)).toBe(true);
  });

  // Some versions of git, or a later command, would run or write something.
  it.each([
    ["git log *", "git log --outp=mark"],
    ["git log *", "git log --grep -- --output=mark"],
    ["git log *", "git log $X"],
    ["git *", "git config core.fsmonitor a"],
    ["git config *", "git config alias.y '!a'"],
    ["git bisect *", "git bisect run a"],
    ["git submodule *", "git submodule foreach a"],
    ["git *", "git -C /tmp/other status"],
    ["git *", "git repack --expire-to=/tmp/packs"],
    ["git *", "git commit-graph write --object-dir=/tmp/objects"],
    ["git *", "git remote add other ./hooked"],
    ["hyperfine git log *", "hyperfine git log --output=mark"],
    ["git *", "git --exec-path=/tmp log"],
    ["git push *", "git push -o a sub/hooked HEAD:b"],
    ["git push *", "git push --push-option a sub/hooked HEAD:b"],
    ["git *", "git submodule add mark://a"],
    ["git *", "git archive --rem=origin HEAD"],
    ["git *", "git -p log"],
    ["git *", "git-filter-branch --tree-filter a"],
    ["git -c *", "git -c core.fsmonitor=a status"],
  ])("%j does not cover %j either", (rule, command) => {
    expect(coversCommand(rule, command, "allow")).toBe(false);
  });

  it("does not cover them in any rule that the documents name", () => {
    expect(DOCUMENTED).toContain("git log *");
    const words = ["--output=mark", "--outp mark", "--ext-diff", "'--exec=touch mark'", "{--output=mark,a}", "$X"];
    const lines = DOCUMENTED.flatMap((rule) => words.map((word) => [rule, rule.replace("*", ` log ${word}`)] as const));
    expect(lines.filter(([rule, command]) => coversCommand(rule, command, "allow"))).toEqual([]);
  });

  it.each([
    ["git log *", "git log -p --stat --format='%h %s' HEAD~2..HEAD -- src"],
    ["git diff *", "git diff --text --cached --no-ext-diff"],
    ["git *", "git --no-pager rev-parse --git-dir"],
    ["git *", "git switch -c next"],
    ["git *", "git config --get user.name"],
    ["git config --get *", "git config --get user.name"],
    ["git -C sub log *", "git -C sub log -5"],
    ["git *", "git push origin HEAD"],
    ["git push *", "git push -o ci.skip origin feature/a"],
    ["git push *", "git push git@example.com:a/b.git HEAD"],
    ["git push *", "git push https://example.com/a.git HEAD"],
    ["git fetch *", "git fetch ssh://example.com/a.git"],
    ["git *", "git fetch https://example.com/a.git"],
    ["git *", "git reflog expire --expire=now"],
    ["git push ./backup *", "git push ./backup HEAD"],
    ["git -C * status", "git -C sub status"],
    ["git log --output=log.txt *", "git log --output=log.txt -5"],
    ["git log * --ext-diff", "git log -5 --ext-diff"],
    ["git lg *", "git lg -5"],
    ["git bisect run *", "git bisect run npm test"],
    ["grep *", "grep -o git --output"],
  ])("%j covers %j", (rule, command) => {
    expect(coversCommand(rule, command, "allow")).toBe(true);
  });
});
