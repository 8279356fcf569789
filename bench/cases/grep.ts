import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { rgPath } from "@vscode/ripgrep";
import { outputOf } from "../../src/core/result.ts";
import type { Toolbox, ToolboxOptions } from "../../src/toolbox/toolbox.ts";
import type { Bench, Case, Contender } from "../harness.ts";
import { built, cleanEnvironment } from "../places.ts";

const FILES = 50_000;
const PER_FOLDER = 20;

/** Options with which ripgrep searches the same files as the built-in tools. */
export const SAME_FILES: readonly string[] = ["--no-config", "--hidden", "--no-require-git", "--glob=!.git"];

/** Few matches: all files must be read. */
export const grepRare: Case = {
  name: "grep-rare",
  about: `built-in grep of a word in 50 of ${FILES} files in a warm toolbox, compared with ripgrep`,
  prepare: (folder) => grepBench(folder, "needle_\\w+", 50),
};

/** A match in every file: the built-in tool stops after 100, ripgrep does not. */
export const grepCommon: Case = {
  name: "grep-common",
  about: `built-in grep of a word in all ${FILES} files, which returns 100 lines, compared with ripgrep`,
  prepare: (folder) => grepBench(folder, "export const", FILES),
};

async function grepBench(folder: string, pattern: string, expected: number): Promise<Bench> {
  const { project, toolbox } = await openTree(folder);
  const args = [...SAME_FILES, "--line-number", "--no-heading", `--regexp=${pattern}`, "./"];
  const grep = timed("grep", async () => {
    const result = await toolbox.call({ name: "grep", input: { pattern } }).result;
    mustBe((result.ok ? result.data : result.error) as { matches?: number }, Math.min(expected, 100));
  });
  const peer = timed("rg", async () => {
    const lines = (await ripgrep(args, project)).trimEnd().split("\n");
    mustBe({ matches: lines.length }, expected);
  });
  await mustAgree(toolbox, project, pattern, args);
  return {
    contenders: [grep, peer],
    goals: [{ of: "grep", measure: "wall", against: "rg", atMost: 1.15 }],
    rounds: 15,
    warmUp: 3,
    close: () => toolbox.close(),
  };
}

/** The built-in tool must return the first matches of ripgrep in path order. */
async function mustAgree(toolbox: Toolbox, cwd: string, pattern: string, args: readonly string[]): Promise<void> {
  const result = await toolbox.call({ name: "grep", input: { pattern } }).result;
  const [, ...groups] = outputOf(result).split("\n\n");
  const ours = groups.flatMap((group) => {
    const [path, ...lines] = group.split("\n");
    return lines.map((line) => `./${path}:${line.trim().replace(": ", ":")}`);
  });
  const theirs = (await ripgrep([...args.slice(0, -1), "--sort=path", "./"], cwd)).split("\n").slice(0, ours.length);
  if (ours.join("\n") !== theirs.join("\n")) throw new Error("grep and ripgrep returned different matches.");
}

function mustBe({ matches }: { matches?: number }, expected: number): void {
  if (matches !== expected) throw new Error(`Found ${matches} matches instead of ${expected}.`);
}

/** Measures wall time only: the child processes have exited, so their CPU time is unknown. */
export function timed(name: string, work: () => Promise<void>): Contender {
  return {
    name,
    async run() {
      const startedAt = performance.now();
      await work();
      return { wall: performance.now() - startedAt };
    },
  };
}

/** The output of ripgrep. */
export async function ripgrep(args: readonly string[], cwd: string): Promise<string> {
  const child = spawn(rgPath, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  return text(child.stdout);
}

/** A project of 50,000 files, some of them ignored, and a toolbox that has already made a call. */
export async function openTree(
  folder: string,
  settings: object = {},
): Promise<{ project: string; toolbox: Toolbox; files: number }> {
  const project = join(folder, "project");
  writeTree(project);
  const toolbox = await openToolbox(folder, project, settings);
  await toolbox.call({ name: "list", input: {} }).result;
  return { project, toolbox, files: FILES };
}

/** A toolbox of the built package, with its own home folder. */
export async function openToolbox(folder: string, project: string, settings: object = {}): Promise<Toolbox> {
  const env = cleanEnvironment(folder);
  mkdirSync(env.TOOLWRIGHT_HOME as string, { recursive: true });
  writeFileSync(join(env.TOOLWRIGHT_HOME as string, "settings.json"), JSON.stringify(settings));
  const { createToolbox } = (await import(pathToFileURL(built("library")).href)) as {
    createToolbox(options: ToolboxOptions): Promise<Toolbox>;
  };
  return createToolbox({ cwd: project, env, trust: true });
}

function writeTree(project: string): void {
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(project, ".gitignore"), "*.log\nout/\n");
  for (let at = 0; at < FILES; at++) {
    const folder = join(project, `part-${Math.floor(at / 1000)}`, `module-${Math.floor(at / PER_FOLDER) % 50}`);
    if (at % PER_FOLDER === 0) {
      mkdirSync(join(folder, "out"), { recursive: true });
      writeFileSync(join(folder, "out", "bundle.js"), "ignored\n");
      writeFileSync(join(folder, "debug.log"), "ignored\n");
    }
    writeFileSync(join(folder, `file-${at}.${at % 10 === 0 ? "tsx" : "ts"}`), sourceText(at));
  }
}

/** About 1.5 KB of code. */
function sourceText(at: number): string {
  const lines = Array.from({ length: 30 }, (_, line) => `  const value${line} = compute(${at}, ${line}, "some text");`);
  const needle = at % 1000 === 500 ? `// needle_${at}\n` : "";
  return `import { compute } from "../compute";\n${needle}export const f${at} = () => {\n${lines.join("\n")}\n};\n`;
}
