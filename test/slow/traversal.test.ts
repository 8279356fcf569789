import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openBuiltins } from "../support/builtins.ts";
import type { Sandbox } from "../support/fixture.ts";
import { ROUNDS } from "../support/rounds.ts";

/** The content of files outside the project, which no tool may return. */
const SECRET = "TOP-SECRET-4711";
/** The content that calls try to write outside. */
const MARK = "OWNED-0815";
/** The name of a file outside, which no tool may return either. */
const NAME = "name-1234.txt";

/** Every tool with a file path as argument. */
const FILE_TOOLS: Record<string, (path: string) => object> = {
  read: (filePath) => ({ filePath }),
  "file-reader": (path) => ({ path }),
  write: (filePath) => ({ filePath, content: MARK }),
  edit: (filePath) => ({ filePath, oldString: "e", newString: MARK, replaceAll: true }),
  grep: (path) => ({ pattern: "SECRET", path }),
  "git-status": (path) => ({ path }),
};

/** Every tool with a folder path as argument. */
const FOLDER_TOOLS: Record<string, (path: string) => object> = {
  list: (path) => ({ path }),
  glob: (path) => ({ pattern: "**/*", path }),
  grep: (path) => ({ pattern: "SECRET", path }),
  bash: (workdir) => ({ command: `ls; cat *.txt; echo ${MARK} > secret.txt`, description: "Looks around", workdir }),
  "git-status": (path) => ({ path }),
};

type Way = readonly [name: string, path: (at: Sandbox) => string];

/** Paths from inside the project to the folder outside. */
const WAYS: readonly Way[] = [
  ["..", () => "../outside"],
  [".. after a folder", () => "src/../../outside"],
  [".. after a missing folder", () => "none/../../outside"],
  ["an absolute path", ({ root }) => join(root, "outside")],
  ["an absolute path with ..", ({ project }) => `${project}/../outside`],
  ["an absolute path with many slashes", ({ root }) => `//${root}//outside/.`],
  ["a link to the folder", () => "linked"],
  ["a link to a link", () => "chained"],
  ["a link inside a folder", () => "src/linked"],
  ["a link to the root", ({ root }) => `slash${root}/outside`],
  [".. after a link", () => "linked/../outside"],
  ["the root of the process", ({ root }) => `/proc/self/root${root}/outside`],
  ["the folder of the process", ({ root }) => `/proc/self/cwd/${"../".repeat(20)}${root}/outside`],
  ["the home folder", () => "~/outside"],
  ["the home folder of another name", () => "~root/../../outside"],
  ["other case", () => "../OUTSIDE"],
  ["a two dot leader", () => "\u2025/outside"],
  ["full-width dots", () => "\uff0e\uff0e/outside"],
  ["a division slash", () => "..\u2215outside"],
  ["backslashes", () => "..\\outside"],
  ["percent signs", () => "..%2foutside"],
  ["a file URL", ({ root }) => `file://${root}/outside`],
  ["a NUL", () => "src\0/../../outside"],
  ["a NUL at the end", () => "../outside\0"],
];

interface Arena {
  readonly at: Sandbox;
  readonly attempt: (tool: string, input: object) => Promise<string>;
}

/** A project with many links and paths to the outside, and a general allow rule for every tool, which must not be enough. */
async function openArena(): Promise<Arena> {
  const settings = { permissions: [{ tool: "*", action: "allow" }] };
  const { at, call } = await openBuiltins({ "src/a.txt": "harmless" }, { settings, callerIsAsked: true });
  for (const folder of [join(at.root, "outside"), join(at.home, "outside")]) {
    mkdirSync(folder);
    for (const name of ["secret.txt", NAME]) writeFileSync(join(folder, name), `${SECRET}\n`);
  }
  symlinkSync("../outside", join(at.project, "linked"));
  symlinkSync("linked", join(at.project, "chained"));
  symlinkSync("../../outside", join(at.project, "src/linked"));
  symlinkSync("/", join(at.project, "slash"));
  symlinkSync("../outside/secret.txt", join(at.project, "file-link"));
  symlinkSync("../outside/new.txt", join(at.project, "dangling"));
  symlinkSync("../outside/new-folder", join(at.project, "dangling-folder"));
  execFileSync("git", ["init", "-q", at.project]);
  return { at, attempt: async (tool, input) => JSON.stringify(await call(tool, input)) };
}

/** All files outside the project, except those of Toolwright. */
function outside({ root }: Sandbox): Record<string, string> {
  const paths = globSync("{outside,home/outside}/**", { cwd: root }).sort();
  return Object.fromEntries(
    paths.map((path) => [
      path,
      statSync(join(root, path)).isFile() ? readFileSync(join(root, path), "utf8") : "folder",
    ]),
  );
}

describe("no path leads out of the project", () => {
  it.each(Object.keys(FILE_TOOLS))("[X1] [B13] for %s, with the path of a file", async (tool) => {
    const { at, attempt } = await openArena();
    const before = outside(at);
    const input = FILE_TOOLS[tool] as (path: string) => object;
    const paths = [
      ...WAYS.map(([name, path]) => [name, `${path(at)}/secret.txt`] as const),
      ["a link to the file", "file-link"] as const,
    ];
    for (const [name, path] of paths) {
      expect([name, await attempt(tool, input(path))]).toEqual([name, expect.not.stringContaining(SECRET)]);
    }
    expect(outside(at)).toEqual(before);
  });

  it.each(Object.keys(FOLDER_TOOLS))("[X1] [B13] for %s, with the path of a folder", async (tool) => {
    const { at, attempt } = await openArena();
    const before = outside(at);
    const input = FOLDER_TOOLS[tool] as (path: string) => object;
    for (const [name, path] of WAYS) {
      const answer = await attempt(tool, input(path(at)));
      expect([name, answer]).toEqual([name, expect.not.stringContaining(SECRET)]);
      expect([name, answer]).toEqual([name, expect.not.stringContaining(NAME)]);
    }
    expect(outside(at)).toEqual(before);
  });

  it("[X1] [B13] through a pattern, or below a link that a search finds", async () => {
    const { at, attempt } = await openArena();
    const before = outside(at);
    const tries: [string, object][] = [
      ["glob", { pattern: "../outside/*" }],
      ["glob", { pattern: join(at.root, "outside/*") }],
      ["glob", { pattern: "linked/**" }],
      ["glob", { pattern: "**/../../outside/*" }],
      ["glob", { pattern: "{src,../outside}/*" }],
      ["glob", { pattern: "**" }],
      ["grep", { pattern: "SECRET" }],
      ["grep", { pattern: "SECRET", include: "../outside/*" }],
      ["grep", { pattern: "SECRET", include: "linked/**" }],
      ["list", {}],
      ["list", { ignore: ["!../outside"] }],
      ["git-status", {}],
      ["git-diff-summary", {}],
      ["workspace-info", {}],
    ];
    for (const [tool, input] of tries) {
      const answer = await attempt(tool, input);
      expect([tool, input, answer]).toEqual([tool, input, expect.not.stringContaining(SECRET)]);
      expect([tool, input, answer]).toEqual([tool, input, expect.not.stringContaining(NAME)]);
    }
    expect(outside(at)).toEqual(before);
  });

  it("[X1] [B13] by writing through a link without a target", async () => {
    const { at, attempt } = await openArena();
    const before = outside(at);
    for (const filePath of [
      "dangling",
      "dangling-folder/new.txt",
      "linked/new.txt",
      "linked/new/new.txt",
      "file-link",
    ]) {
      expect(await attempt("write", { filePath, content: MARK })).toContain('"code":"denied"');
    }
    expect(outside(at)).toEqual(before);
  });
});

describe("a path that is not a regular file", () => {
  it("[X1] is neither read nor written, nor waited for", async () => {
    const { at, attempt } = await openArena();
    execFileSync("mkfifo", [join(at.project, "pipe")]);
    symlinkSync("/dev/zero", join(at.project, "zero"));
    const server = createServer().listen(join(at.project, "socket"));
    await once(server, "listening");
    onTestFinished(() => void server.close());
    for (const path of ["pipe", "socket", "zero", "/dev/zero", "/dev/stdin", "/dev/fd/0", "/dev/tty"]) {
      for (const [tool, input] of Object.entries(FILE_TOOLS)) {
        const answer = await attempt(tool, input(path));
        if (!["grep", "git-status"].includes(tool)) {
          expect([tool, path, answer]).toEqual([
            tool,
            path,
            expect.stringMatching(/"code":"denied"|is a (pipe|socket|device), not a file/),
          ]);
        }
        expect([tool, path, answer]).toEqual([tool, path, expect.not.stringMatching(/"code":"(timeout|crashed)"/)]);
      }
    }
  });
});

/**
 * Repeatedly replaces a folder, and a file, by links to the outside, and back; and switches a link between a folder
 * inside and the one outside. Removes the files that calls have created in between.
 */
const SWAPPER = `const fs = require("node:fs");
  const pairs = [["swap", "../outside"], ["flip.txt", "../outside/secret.txt"]];
  const link = (target, path) => { try { fs.symlinkSync(target, path); } catch {} };
  const clear = (path) => fs.rmSync(path, { recursive: true, force: true });
  const swap = (name, target) => {
    link(target, name + ".link");
    fs.renameSync(name, name + ".kept");
    fs.renameSync(name + ".link", name);
    fs.renameSync(name, name + ".link");
    fs.renameSync(name + ".kept", name);
  };
  const mend = (name) => {
    if (!fs.existsSync(name + ".kept")) return;
    clear(name);
    fs.renameSync(name + ".kept", name);
  };
  fs.writeSync(1, "ready");
  for (;;) {
    for (const [name, target] of pairs) try { swap(name, target); } catch { try { mend(name); } catch {} }
    for (const target of ["../outside", "safe"]) {
      fs.symlinkSync(target, "turn.link");
      fs.renameSync("turn.link", "turn");
    }
  }`;

async function startSwapping({ project }: Sandbox): Promise<void> {
  for (const folder of ["swap", "safe"]) {
    mkdirSync(join(project, folder));
    writeFileSync(join(project, folder, "secret.txt"), "harmless\n");
  }
  writeFileSync(join(project, "flip.txt"), "harmless\n");
  symlinkSync("safe", join(project, "turn"));
  const child = spawn(process.execPath, ["-e", SWAPPER], { cwd: project, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(async () => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  });
  await once(child.stdout, "data");
}

const FILES = ["swap/secret.txt", "turn/secret.txt", "flip.txt"];
const FOLDERS = ["swap", "turn"];

// Only Linux reports the path of an open file. Elsewhere, a path that is replaced twice within microseconds is not noticed.
describe.runIf(process.platform === "linux")("a link that is created between the check and the use", () => {
  it.each(Object.keys(FILE_TOOLS))("[X1] [B13] does not lead %s out of the project", async (tool) => {
    const { at, attempt } = await openArena();
    const before = outside(at);
    const input = FILE_TOOLS[tool] as (path: string) => object;
    await startSwapping(at);
    const leaks: string[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      for (const path of FILES) {
        const answer = await attempt(tool, input(path));
        if (answer.includes(SECRET)) leaks.push(`${path}: ${answer}`);
      }
    }
    expect(leaks).toEqual([]);
    expect(outside(at)).toEqual(before);
  });

  it.each(Object.keys(FOLDER_TOOLS))("[X1] [B13] does not lead %s out of its folder", async (tool) => {
    const { at, attempt } = await openArena();
    const before = outside(at);
    const input = FOLDER_TOOLS[tool] as (path: string) => object;
    await startSwapping(at);
    const leaks: string[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      for (const path of FOLDERS) {
        const answer = await attempt(tool, input(path));
        if (answer.includes(SECRET) || answer.includes(NAME)) leaks.push(`${path}: ${answer}`);
      }
    }
    expect(leaks).toEqual([]);
    expect(outside(at)).toEqual(before);
  });
});
