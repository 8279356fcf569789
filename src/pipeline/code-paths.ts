import { readdirSync } from "node:fs";
import { basename, dirname, extname, join, resolve, sep } from "node:path";
import { readText } from "../discovery/read-text.ts";
import { isInside } from "../files/inside.ts";
import { folded, isKnownCode } from "../permissions/code-that-runs.ts";
import { scriptsIn, wordsOf } from "./code-mentions.ts";
import { isFolder, realOf } from "./real-targets.ts";

/** A command line, or a program and its arguments, and the folder in which it is started. */
export interface StartedCommand {
  readonly words: string | readonly string[];
  readonly folder: string;
}

/** Code that the toolbox runs by itself. */
export interface CodeSources {
  /** Where tool files are found, whether or not there are any now. */
  readonly folders: readonly string[];
  /** Tool files, what they import, and the configurations that lead to them. */
  readonly files: readonly string[];
  /** Tool files whose imports are not known yet. */
  readonly unread: readonly string[];
  /** Tool files without code, whose text holds the commands that they start. */
  readonly declared: readonly string[];
  /** Commands of hooks and of MCP servers. */
  readonly commands: readonly StartedCommand[];
}

/** Files that name the scripts which programs start by themselves: hooks of Git and of agents, MCP servers. */
const NAMING_FILES: readonly string[] = [
  ...[".pre-commit-config.yaml", "lefthook.yml", ".mcp.json", "opencode.json", "opencode.jsonc", ".vscode/mcp.json"],
  ...[".claude/settings.json", ".claude/settings.local.json", ".cursor/hooks.json", ".cursor/mcp.json"],
  ...[".gemini/settings.json", ".codex/config.toml", ".github/mcp.json", ".copilot/mcp-config.json"],
];

/** Task runners, and the files in which their tasks stand. */
const RUNNERS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bg?make\b/, ["GNUmakefile", "makefile", "Makefile"]],
  [/\bjust\b/, ["justfile", ".justfile", "Justfile"]],
  [/\btask\b/, ["Taskfile.yml", "Taskfile.yaml"]],
];
const PACKAGE_RUNNER = /\b(?:npm|npx|yarn|pnpm|bun)\b/;

const RUNTIME = /^(?:node|nodejs|bun|deno|run|tsx|ts-node|python[\d.]*|ruby|php)$/;
const LONGEST_WORD = 300;

/** How many scripts are read to find out which others they name. */
const MOST_READ = 200;

/**
 * Says whether a path holds code that runs without a further question, as far as that can be known: files that a tool
 * imports, that a started command names, or that such a script names in its text. A name that a script puts together while
 * it runs is not known, and neither is another name of the same file (a hard link).
 */
export function createCodeCheck(sources: CodeSources, roots: readonly string[]): (path: string) => boolean {
  const collected = new CodePaths(roots);
  for (const file of sources.files) collected.addFile(file);
  for (const file of sources.unread) collected.addScript(file);
  for (const command of sources.commands) collected.addCommand(command);
  for (const file of sources.declared) collected.addCommand({ words: readText(file) ?? "", folder: roots[0] ?? "" });
  for (const root of roots) collected.addProject(root);
  const folders = [...sources.folders, ...collected.folders];
  const places = [...new Set([...folders, ...folders.map((folder) => realOf(folder))])].map(folded);
  const holdsCode = [...places, ...collected.keys];
  return (path) => {
    const target = folded(path);
    return (
      keysOf(path).some((key) => collected.keys.has(key)) ||
      places.some((place) => isInside(place, target)) ||
      // Whatever replaces a folder replaces the code in it.
      (!roots.includes(path) && holdsCode.some((code) => isInside(target, code)))
    );
  };
}

class CodePaths {
  readonly keys = new Set<string>();
  readonly folders: string[] = [];
  readonly #roots: readonly string[];
  readonly #listed = new Map<string, readonly string[]>();
  readonly #real = new Map<string, string>();
  readonly #read = new Set<string>();

  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  /** Everything in `node_modules` is known code: a tool may import thousands of files from there. */
  addFile(file: string): void {
    if (file.includes(`${sep}node_modules${sep}`)) return;
    const folder = dirname(file);
    const real = this.#list(folder).includes(basename(file))
      ? realOf(file)
      : join(this.#realFolder(folder), basename(file));
    for (const path of new Set([file, real])) for (const key of keysOf(path)) this.keys.add(key);
  }

  addScript(file: string): void {
    this.addFile(file);
    this.#readScript(file, [dirname(file)]);
  }

  addCommand({ words, folder }: StartedCommand): void {
    const said = wordsOf(words).filter((word) => word.length <= LONGEST_WORD);
    const isFolderWord = (word: string): boolean => isFolder(resolve(folder, word));
    const named = said.filter((word, index) => !isFolderWord(word) || isRun(said, index));
    const starts = said.filter(isFolderWord).map((word) => resolve(folder, word));
    const text = typeof words === "string" ? words : words.join(" ");
    for (const start of new Set([folder, ...starts.filter((path) => this.#isBelowRoot(path))])) {
      this.#addNamed(named, [start]);
      this.#addTasks(text, start);
    }
  }

  /** What the files of a project say by which programs start scripts by themselves, and links that have a known name. */
  addProject(root: string): void {
    for (const name of NAMING_FILES) this.#readScript(join(root, name), [root]);
    const hooksPath = /^\s*hooksPath\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(readText(join(root, ".git/config")) ?? "")?.[1];
    if (hooksPath !== undefined) this.folders.push(resolve(root, hooksPath));
    const gitHooks = [hooksPath ?? ".git/hooks", ".husky"].map((path) => resolve(root, path));
    for (const folder of gitHooks) {
      const hooks = this.#list(folder).filter((name) => !name.endsWith(".sample"));
      for (const name of hooks) this.#readScript(join(folder, name), [root]);
    }
    const known = this.#list(root).filter((name) => isKnownCode(name));
    for (const name of known) {
      const real = realOf(join(root, name));
      if (real === join(realOf(root), name)) continue;
      this.folders.push(real);
    }
  }

  #addTasks(text: string, folder: string): void {
    for (const [runner, files] of RUNNERS) {
      if (runner.test(text)) for (const file of files) this.#readScript(join(folder, file), [folder]);
    }
    if (!PACKAGE_RUNNER.test(text)) return;
    const manifest = join(folder, "package.json");
    if (this.#read.has(manifest)) return;
    this.#read.add(manifest);
    for (const words of scriptsOf(readText(manifest))) this.addCommand({ words, folder });
  }

  /** Words may be relative to any of the folders. What follows a variable begins with a slash. */
  #addNamed(words: readonly string[], folders: readonly string[]): void {
    for (const word of words) {
      const spellings = word.startsWith("/") ? [word, word.replace(/^\/+/, "")] : [word];
      for (const path of folders.flatMap((folder) => spellings.map((spelling) => resolve(folder, spelling)))) {
        if (!this.#isBelowRoot(path)) continue;
        this.addFile(path);
        for (const file of this.#filesAt(path)) this.#readScript(file, [dirname(file), ...this.#roots.slice(0, 1)]);
      }
    }
  }

  #readScript(file: string, folders: readonly string[]): void {
    if (this.#read.has(file) || this.#read.size >= MOST_READ) return;
    this.#read.add(file);
    const text = readText(file);
    if (text === undefined) return;
    this.#addNamed(scriptsIn(text, file), folders);
  }

  /** The files that a path may mean: with any extension, and those that stand for a folder. */
  #filesAt(path: string): string[] {
    const keys = new Set(keysOf(path));
    const inFolder = this.#list(path).map((name) => join(path, name));
    const beside = this.#list(dirname(path)).map((name) => join(dirname(path), name));
    return [...inFolder, ...beside].filter((file) => isScript(file) && keysOf(file).some((key) => keys.has(key)));
  }

  #realFolder(folder: string): string {
    const known = this.#real.get(folder);
    if (known !== undefined) return known;
    const real = realOf(folder);
    this.#real.set(folder, real);
    return real;
  }

  #list(folder: string): readonly string[] {
    const known = this.#listed.get(folder);
    if (known) return known;
    const names = namesIn(folder);
    this.#listed.set(folder, names);
    return names;
  }

  #isBelowRoot(path: string): boolean {
    return this.#roots.some((root) => path !== root && isInside(root, path));
  }
}

/** Under which keys a path is compared: an import may leave out the extension, and the name of the file that stands for a folder. */
function keysOf(path: string): string[] {
  const whole = folded(path);
  const stem = whole.slice(0, whole.length - extname(whole).length);
  return /^(?:index|__init__|__main__)$/.test(basename(stem)) ? [stem, dirname(stem)] : [stem];
}

/** Whether a folder that is named in a command is what a runtime runs, as in `node tool`, and not what a program looks at. */
function isRun(words: readonly string[], index: number): boolean {
  const before = words.slice(0, index).findLast((word) => !word.startsWith("-"));
  return before !== undefined && RUNTIME.test(basename(before));
}

/** Not data, which a script that is named by nothing else may have beside it. */
function isScript(file: string): boolean {
  return !/\.(?:json|ya?ml|toml|md|txt|lock|csv|html|css|svg)$/i.test(file);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function scriptsOf(manifest: string | undefined): string[] {
  try {
    const { scripts } = JSON.parse(manifest ?? "{}") as { scripts?: unknown };
    return Object.values(scripts ?? {}).filter((script) => typeof script === "string");
  } catch {
    return [];
  }
}
