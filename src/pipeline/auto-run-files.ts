import { readdirSync } from "node:fs";
import { basename, dirname, extname, join, resolve, sep } from "node:path";
import { readText } from "../discovery/read-config-file.ts";
import { isInside } from "../files/inside.ts";
import { resolveLinks } from "../files/real-path.ts";
import { folded, isKnownCode } from "../permissions/auto-run-names.ts";
import { isFolder } from "./real-targets.ts";
import { enteredFolders, jsonIn, programsIn, scriptsIn, scriptsRun, wordsOf } from "./script-mentions.ts";

/** A command line, or a program and its arguments, and the folder in which it is started. */
export interface StartedCommand {
  readonly words: string | readonly string[];
  readonly folder: string;
}

/** Code that the toolbox runs without asking. */
export interface CodeSources {
  /** Folders that are searched for tool files, also empty ones. */
  readonly folders: readonly string[];
  /** Tool files, what they import, and the configurations that lead to them. */
  readonly files: readonly string[];
  /** Tool files that have not been loaded, so that their imports are unknown. */
  readonly unread: readonly string[];
  /** Tool files without code (JSON), whose text holds the commands that they start. */
  readonly declared: readonly string[];
  /** Commands of hooks and of MCP servers. */
  readonly commands: readonly StartedCommand[];
}

/** Configuration files that name scripts which Git, agents and editors start by themselves. */
const NAMING_FILES: readonly string[] = [
  ...[".pre-commit-config.yaml", "lefthook.yml", ".mcp.json", "opencode.json", "opencode.jsonc", ".vscode/mcp.json"],
  ...[".claude/settings.json", ".claude/settings.local.json", ".cursor/hooks.json", ".cursor/mcp.json"],
  ...[".gemini/settings.json", ".codex/config.toml", ".github/mcp.json", ".copilot/mcp-config.json"],
  ...[".envrc", ".devcontainer/devcontainer.json", ".devcontainer.json", ".lintstagedrc", ".lintstagedrc.json"],
];

/** Fields of a `package.json` with commands that Git hooks run. */
const HOOK_FIELDS: readonly string[] = [
  "lint-staged",
  "simple-git-hooks",
  "husky",
  "gitHooks",
  "pre-commit",
  "pre-push",
];

/** Task runners, and the files that define their tasks. */
const RUNNERS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bg?make\b/, ["GNUmakefile", "makefile", "Makefile"]],
  [/\bjust\b/, ["justfile", ".justfile", "Justfile"]],
  [/\btask\b/, ["Taskfile.yml", "Taskfile.yaml"]],
];
const PACKAGE_RUNNER = /\b(?:npm|yarn|pnpm|bun|run-[sp]|npm-run-all)\b|--run\b/;

const RUNTIME = /^(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|ruby|php)$/;
const RUNS_FOLDERS = /^(?:go|deno|uv)$/;
const MAX_WORD_LENGTH = 300;

/** The maximum number of scripts that are searched for the names of other scripts. */
const MAX_SCRIPTS_READ = 200;

/**
 * Returns a function that tests whether a path holds code that runs without a further question: files that a tool imports,
 * that a started command names, or that one of these files names in its text. Names that a script computes while it runs, and hard
 * links, are not found.
 */
export function createCodeCheck(sources: CodeSources, roots: readonly string[]): (path: string) => boolean {
  const collected = new CodePaths(roots);
  for (const file of sources.files) collected.addFile(file);
  for (const file of sources.unread) collected.addScript(file);
  for (const command of sources.commands) collected.addCommand(command);
  for (const file of sources.declared) collected.addCommand({ words: readText(file) ?? "", folder: roots[0] ?? "" });
  for (const root of roots) collected.addProject(root);
  const folders = [...sources.folders, ...collected.folders];
  const codeFolders = [...new Set([...folders, ...folders.map((folder) => resolveLinks(folder))])].map(folded);
  const holdsCode = [...codeFolders, ...collected.keys];
  return (path) => {
    const target = folded(path);
    return (
      keysOf(path).some((key) => collected.keys.has(key)) ||
      codeFolders.some((folder) => isInside(folder, target)) ||
      // A write to a folder can replace the code in it.
      (!roots.includes(path) && holdsCode.some((code) => isInside(target, code)))
    );
  };
}

class CodePaths {
  readonly keys = new Set<string>();
  readonly folders: string[] = [];
  readonly #roots: readonly string[];
  readonly #listed = new Map<string, readonly string[]>();
  readonly #scripts = new Map<string, ReadonlyMap<string, readonly string[]>>();
  readonly #real = new Map<string, string>();
  readonly #read = new Set<string>();
  readonly #named = new Set<string>();

  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  /** Everything in `node_modules` is known code: a tool may import thousands of files from there. */
  addFile(file: string): void {
    if (file.includes(`${sep}node_modules${sep}`)) return;
    const folder = dirname(file);
    const real = this.#list(folder).includes(basename(file))
      ? resolveLinks(file)
      : join(this.#realFolder(folder), basename(file));
    for (const path of new Set([file, real])) for (const key of keysOf(path)) this.keys.add(key);
  }

  addScript(file: string): void {
    this.addFile(file);
    this.#readScript(file, [dirname(file)]);
  }

  addCommand({ words, folder }: StartedCommand): void {
    const mentioned = wordsOf(words).filter((word) => word.length <= MAX_WORD_LENGTH);
    const isFolderWord = (word: string): boolean => isFolder(resolve(folder, word));
    const named = mentioned.filter((word) => !isFolderWord(word));
    const starts = mentioned.filter(isFolderWord).map((word) => resolve(folder, word));
    for (const [index, word] of mentioned.entries()) {
      if (isFolderWord(word) && isRun(mentioned, index)) this.#addFolder(resolve(folder, word));
    }
    const text = typeof words === "string" ? words : words.join(" ");
    for (const start of new Set([folder, ...starts.filter((path) => this.#isBelowRoot(path))])) {
      this.#addNamed(named, [start]);
      this.#addTasks(text, start);
    }
  }

  /** A folder that a runtime runs: `node .` runs the `main` of its `package.json`, or its index. */
  #addFolder(folder: string): void {
    if (this.#isBelowRoot(folder)) this.folders.push(folder);
    const { main } = jsonIn(readText(join(folder, "package.json")));
    this.#addNamed([...(typeof main === "string" ? [main] : []), "index", "__main__"], [folder]);
  }

  /** Scripts that Git, package managers and agents start in a project, and the targets of links with well-known names. */
  addProject(root: string): void {
    for (const name of NAMING_FILES) this.#readScript(join(root, name), [root]);
    const manifest = jsonIn(readText(join(root, "package.json")));
    for (const field of HOOK_FIELDS) {
      if (manifest[field]) this.addCommand({ words: JSON.stringify(manifest[field]), folder: root });
    }
    const gitFolders = gitFoldersOf(root);
    const hooksPaths = gitFolders.flatMap((folder) => {
      const config = join(folder, "config");
      this.#readScript(config, [root, folder]);
      const values = (readText(config) ?? "").matchAll(/\bhooksPath\s*=\s*"?([^"\n;#]*[^"\n;#\s])/gi);
      return [...values].map(([, path = ""]) => resolve(root, path));
    });
    this.folders.push(...hooksPaths);
    const gitHooks = [...gitFolders.map((folder) => join(folder, "hooks")), ...hooksPaths, join(root, ".husky")];
    for (const folder of gitHooks) {
      const hooks = this.#list(folder).filter((name) => !name.endsWith(".sample"));
      for (const name of hooks) this.#readScript(join(folder, name), [root]);
    }
    const known = this.#list(root).filter((name) => isKnownCode(name));
    for (const name of known) {
      const real = resolveLinks(join(root, name));
      if (real === join(resolveLinks(root), name)) continue;
      this.folders.push(real);
    }
  }

  #addTasks(text: string, folder: string): void {
    for (const [runner, files] of RUNNERS) {
      if (runner.test(text)) for (const file of files) this.#readScript(join(folder, file), [folder]);
    }
    if (!PACKAGE_RUNNER.test(text)) return;
    const manifest = join(folder, "package.json");
    for (const [name, words] of scriptsRun(text, readText(manifest))) {
      const script = `${manifest} ${name}`;
      if (this.#read.has(script)) continue;
      this.#read.add(script);
      this.addCommand({ words, folder });
    }
  }

  /** Paths may be relative to any of the folders. A word like `$HOME/bin` has lost its variable and begins with a slash. */
  #addNamed(words: readonly string[], folders: readonly string[]): void {
    for (const word of words) {
      const spellings = word.startsWith("/") ? [word, word.replace(/^\/+/, "")] : [word];
      for (const path of folders.flatMap((folder) => spellings.map((spelling) => resolve(folder, spelling)))) {
        if (this.#named.has(path) || !this.#isBelowRoot(path)) continue;
        this.#named.add(path);
        this.addFile(path);
        for (const file of this.#filesAt(path)) this.#readScript(file, [dirname(file), ...this.#roots.slice(0, 1)]);
      }
    }
  }

  #readScript(file: string, folders: readonly string[]): void {
    if (this.#read.has(file) || this.#read.size >= MAX_SCRIPTS_READ) return;
    this.#read.add(file);
    const text = readText(file);
    if (text === undefined) return;
    const scripts = [...new Set(scriptsIn(text, file))];
    this.#addNamed(scripts, folders);
    if (!isShellScript(file)) return;
    const entered = enteredFolders(text).flatMap((path) => folders.map((folder) => resolve(folder, path)));
    const starts = [...folders, ...entered.filter((path) => this.#isBelowRoot(path))];
    this.#addNamed([...scripts, ...programsIn(text).filter((path) => this.#isFile(path, starts))], starts);
    for (const folder of this.#roots.slice(0, 1)) this.#addTasks(text, folder);
  }

  #isFile(path: string, folders: readonly string[]): boolean {
    const paths = folders.map((folder) => resolve(folder, path));
    return paths.some((each) => this.#list(dirname(each)).includes(basename(each)) && !isFolder(each));
  }

  /** The files that a path may mean: with any extension, or the index of a folder. */
  #filesAt(path: string): string[] {
    const isThere = this.#list(dirname(path)).includes(basename(path));
    const folders = isThere ? [path, dirname(path)] : [dirname(path)];
    return folders.flatMap((folder) => keysOf(path).flatMap((key) => this.#scriptsIn(folder).get(key) ?? []));
  }

  /** The scripts of a folder by their keys. */
  #scriptsIn(folder: string): ReadonlyMap<string, readonly string[]> {
    const cached = this.#scripts.get(folder);
    if (cached) return cached;
    const files = this.#list(folder).filter(isScript);
    const keyed = files.map((name) => join(folder, name)).flatMap((file) => keysOf(file).map((key) => ({ file, key })));
    const scripts = new Map<string, string[]>();
    for (const { file, key } of keyed) scripts.set(key, [...(scripts.get(key) ?? []), file]);
    this.#scripts.set(folder, scripts);
    return scripts;
  }

  #realFolder(folder: string): string {
    const cached = this.#real.get(folder);
    if (cached !== undefined) return cached;
    const real = resolveLinks(folder);
    this.#real.set(folder, real);
    return real;
  }

  #list(folder: string): readonly string[] {
    const cached = this.#listed.get(folder);
    if (cached) return cached;
    const names = namesIn(folder);
    this.#listed.set(folder, names);
    return names;
  }

  #isBelowRoot(path: string): boolean {
    return this.#roots.some((root) => path !== root && isInside(root, path));
  }
}

/** The keys under which a path is compared: an import may omit the extension, and the name of an index file. */
function keysOf(path: string): string[] {
  const whole = folded(path);
  const stem = whole.slice(0, whole.length - extname(whole).length);
  return /^(?:index|__init__|__main__)$/.test(basename(stem)) ? [stem, dirname(stem)] : [stem];
}

/** Whether a runtime runs this folder, as in `node tool`, as opposed to a program that reads it. */
function isRun(words: readonly string[], index: number): boolean {
  if (words[index - 1] === "run") return RUNS_FOLDERS.test(words[index - 2] ?? "");
  const before = words.findLastIndex((word, at) => at < index && !word.startsWith("-"));
  const options = words.slice(before + 1, index);
  return RUNTIME.test(basename(words[before] ?? "")) && !options.some((option) => option.startsWith("--test"));
}

/** The folders with the configuration and hooks of a repository. In a worktree, `.git` is a file that names the folder. */
function gitFoldersOf(root: string): string[] {
  const dotGit = join(root, ".git");
  const named = /^gitdir: *(.+?)\s*$/m.exec(readText(dotGit) ?? "")?.[1];
  const folder = named === undefined ? dotGit : resolve(root, named);
  const common = readText(join(folder, "commondir"))?.trim();
  return common ? [folder, resolve(folder, common)] : [folder];
}

/** Whether a file is searched for shell commands. A Makefile is not: its targets have the names of other scripts. */
function isShellScript(file: string): boolean {
  const name = basename(file);
  if (RUNNERS.some(([, files]) => files.includes(name))) return false;
  return /^(?:\.?[^.]+|.*\.(?:sh|bash|zsh)|\.pre-commit-config\.yaml|lefthook\.yml)$/.test(name);
}

/** Whether a file may be a script: data files have the same stem as the script that reads them. */
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
