import { existsSync, lchownSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { cli, ensureBuilt, json } from "../support/cli.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { put } from "../support/temporary.ts";

beforeAll(ensureBuilt);

const OTHER = 65_534;
const THIRD = 65_533;
const isRoot = process.getuid?.() === 0;
const NOT_ROOT = "only root can give files to another user";

/** Folders, files and links by their paths in a project. */
interface Case {
  readonly folders?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly links?: Readonly<Record<string, string>>;
  /** The paths in the project that another user owns. */
  readonly foreign: readonly string[];
  /** The working directory. */
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  /** The path that the reason names; undefined if the project is trusted. */
  readonly named?: string;
}

const CASES: Readonly<Record<string, Case>> = {
  "root of another user": { folders: [".git"], foreign: ["."], named: "." },
  "root of another user, above": { folders: [".git", "a/b"], foreign: ["."], cwd: "a/b", named: "." },
  "root and .git of another user, above": { folders: [".git", "a"], foreign: [".", ".git"], cwd: "a", named: "." },
  ".git of another user": { folders: [".git"], foreign: [".git"], named: ".git" },
  ".git of another user, above": { folders: [".git", "a"], foreign: [".git"], cwd: "a", named: ".git" },
  ".git as another user's link to an own folder": {
    folders: ["../real"],
    links: { ".git": "../real" },
    foreign: [".git"],
    named: ".git",
  },
  ".git as an own link to another user's folder": {
    folders: ["../real"],
    links: { ".git": "../real" },
    foreign: ["../real"],
    named: ".git",
  },
  ".git file of another user": {
    folders: ["../real"],
    files: { ".git": "gitdir: ../real\n" },
    foreign: [".git"],
    named: ".git",
  },
  ".git file that names another user's folder": {
    folders: ["../real"],
    files: { ".git": "gitdir: ../real\n" },
    foreign: ["../real"],
    named: "../real",
  },
  "working directory of another user": { folders: [".git", "a/b"], foreign: ["a/b"], cwd: "a/b", named: "a/b" },
  "folder of another user above the working directory": {
    folders: [".git", "a/b"],
    foreign: ["a"],
    cwd: "a/b",
    named: "a",
  },
  "working directory of another user, by a link": {
    folders: [".git", "a/b"],
    links: { link: "a/b" },
    foreign: ["a/b"],
    cwd: "link",
    named: "a/b",
  },
  "directory of another user without a repository": { foreign: ["."], named: "." },
  ".toolwright of another user": { folders: [".git", ".toolwright"], foreign: [".toolwright"], named: ".toolwright" },
  "tools folder of another user": {
    folders: [".git", ".toolwright/tools"],
    foreign: [".toolwright/tools"],
    named: ".toolwright/tools",
  },
  "empty tools folder of another system, of another user": {
    folders: [".git", ".opencode/tool"],
    foreign: [".opencode/tool"],
    named: ".opencode/tool",
  },
  "empty folder of another system, of another user": { folders: [".git", ".pi"], foreign: [".pi"], named: ".pi" },
  "empty folder of another system, of another user, below": {
    folders: [".git", "a/.pi"],
    foreign: ["a/.pi"],
    cwd: "a",
    named: "a/.pi",
  },
  "root of the user who ran sudo": { folders: [".git"], foreign: [".", ".git"], env: { SUDO_UID: `${OTHER}` } },
  "root of a third user, with sudo": {
    folders: [".git"],
    foreign: [".", ".git"],
    env: { SUDO_UID: `${THIRD}` },
    named: ".",
  },
  "root of another user, with an invalid SUDO_UID": {
    folders: [".git"],
    foreign: ["."],
    env: { SUDO_UID: `${OTHER}x` },
    named: ".",
  },
  "own root with another user's folder beside": { folders: [".git", "a", "b"], foreign: ["b"], cwd: "a" },
  "own nested repository in another user's": { folders: [".git", "a/.git"], foreign: [".", ".git"], cwd: "a" },
  "own root": { folders: [".git"], foreign: [] },
  "own root, above": { folders: [".git", "a/b"], foreign: [], cwd: "a/b" },
  "own worktree": { folders: ["../real"], files: { ".git": "gitdir: ../real\n" }, foreign: [] },
  "own directory without a repository": { folders: ["a"], foreign: [], cwd: "a" },
};

function build({ folders = [], files = {}, links = {}, foreign, cwd = "." }: Case): { at: Sandbox; cwd: string } {
  const at = sandbox();
  const path = (name: string): string => join(at.project, name);
  rmSync(path(".git"), { recursive: true });
  for (const name of [...folders, cwd in links ? "." : cwd]) mkdirSync(path(name), { recursive: true });
  for (const [name, text] of Object.entries(files)) put(path(name), text);
  for (const [name, target] of Object.entries(links)) symlinkSync(target, path(name));
  for (const name of foreign) if (existsSync(path(name))) lchownSync(path(name), OTHER, OTHER);
  return { at, cwd: path(cwd) };
}

function trustedIn(at: Sandbox): string[] {
  const file = join(at.env.TOOLWRIGHT_HOME as string, "trust.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).projects : [];
}

/** The repository's root in each case, else the working directory. */
function rootOf(name: string, at: Sandbox): string {
  if (name.startsWith("own nested") || name.startsWith("own directory")) return join(at.project, "a");
  return at.project;
}

describe.each([
  ["new", ["new", "mine"]],
  ["init", ["init"]],
])("the first trust by %s", (_, args) => {
  it.for(Object.entries(CASES))("[D7] %s", async ([name, each], { skip }) => {
    skip(each.foreign.length > 0 && !isRoot, NOT_ROOT);
    const { at, cwd } = build(each);
    const { env = {}, named } = each;
    const root = rootOf(name, at);
    const made = await cli(at, args, { cwd, env });
    expect(made).toMatchObject({ code: 0, stderr: "" });
    expect(trustedIn(at)).toEqual(named === undefined ? [root] : []);
    const { stdout } = made;
    if (named !== undefined) {
      expect(stdout).toContain(
        `The project ${root} is not trusted: ${join(at.project, named)} belongs to another user (uid ${OTHER}), who could change what runs. Read its files, then run:\n  toolwright trust --cwd ${root}\n`,
      );
    } else if (cwd.replace(/\/$/, "") !== root) {
      expect(stdout).toContain(
        `Trusted the whole repository ${root}, which this directory is in. To undo: toolwright trust --cwd ${root} --remove\n`,
      );
    } else expect(stdout).not.toContain("rusted");
  });
});

describe("the first trust", () => {
  it.for([["new", "mine"], ["init"]])(
    "[D7] %s gives the reason and the project in its JSON",
    async (args, { skip }) => {
      skip(!isRoot, NOT_ROOT);
      const { at, cwd } = build({ folders: [".git", "a"], foreign: [".git"], cwd: "a" });
      expect(json(await cli(at, [...args, "--json"], { cwd }))).toMatchObject({
        project: at.project,
        trusted: false,
        notTrusted: `${join(at.project, ".git")} belongs to another user (uid ${OTHER}), who could change what runs.`,
      });
      const own = build({ folders: [".git", "a"], foreign: [], cwd: "a" });
      expect(json(await cli(own.at, [...args, "--json"], { cwd: own.cwd }))).toMatchObject({
        project: own.at.project,
        trusted: true,
      });
    },
  );

  it("[D7] the printed command trusts another user's project, and --cwd is checked like the working directory", async ({
    skip,
  }) => {
    skip(!isRoot, NOT_ROOT);
    const { at } = build({ folders: [".git", "a"], foreign: ["."], cwd: "a" });
    const there = join(at.project, "a");
    const { stdout } = await cli(at, ["new", "mine", "--cwd", there], { cwd: at.home });
    expect(trustedIn(at)).toEqual([]);
    const command = /^ {2}toolwright (trust .*)$/m.exec(stdout)?.[1] ?? "";
    expect(await cli(at, command.split(" "), { cwd: at.home })).toMatchObject({ code: 0 });
    expect(trustedIn(at)).toEqual([at.project]);
    expect((await cli(at, ["new", "second"], { cwd: there })).stdout).not.toContain("rusted");
  });
});
