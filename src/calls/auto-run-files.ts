import { basename, dirname, extname, join, parse, relative, resolve, sep } from "node:path";
import type { CodeSources, StartedCommand } from "../catalog/discovery/code-sources.ts";
import { readAgentConfig, readText } from "../catalog/discovery/read-config-file.ts";
import { readWithImports } from "../host/protocol/relative-imports.ts";
import { entriesIn } from "../platform/files/entries-in.ts";
import { isInside } from "../platform/files/inside.ts";
import { resolveLinks } from "../platform/files/real-path.ts";
import { folded, isKnownCode } from "../settings/permissions/auto-run-names.ts";
import { pathsIn } from "./command-paths.ts";
import { gitSettingsIn, isInclude, mayNameProgram } from "./git-settings.ts";

/**
 * Configuration files in JSON that name programs which Git, agents and editors start by themselves, and their keys with commands.
 * A name that ends in a slash is a folder of such files.
 */
const CONFIGURATIONS: readonly (readonly [names: string, keys: RegExp])[] = [
  [
    ".mcp.json .vscode/mcp.json .cursor/mcp.json .github/mcp.json .copilot/mcp-config.json",
    /^(?:command|args|env|cwd)$/,
  ],
  [
    "opencode.json opencode.jsonc .gemini/settings.json .vscode/tasks.json",
    /^(?:command|args|env|cwd|discoveryCommand|callCommand)$/,
  ],
  [
    ".claude/settings.json .claude/settings.local.json .cursor/hooks.json .codex/hooks.json .github/hooks/ .windsurf/hooks.json .kiro/hooks/",
    /^(?:command|args|env|bash|powershell|aws[A-Z]\w+|\w+Helper)$/,
  ],
  [
    `mcp.json mcp_config.json .roo/mcp.json .kiro/settings/mcp.json .amazonq/mcp.json .junie/mcp/mcp.json .qwen/settings.json
    .factory/mcp.json .factory/settings.json crush.json .crush.json .zed/settings.json .zed/tasks.json .trae/mcp.json
    .grok/settings.json .iflow/settings.json .augment/settings.json .opencode/opencode.json .opencode/opencode.jsonc
    kilo.json kilo.jsonc .kilocode/mcp.json .cline/mcp.json .amp/settings.json`,
    /^(?:command|args|env|cwd)$/,
  ],
  [".cursor/environment.json .cursor/worktrees.json", /^(?:install|start|update|command|setup-worktree.*)$/],
  [".devcontainer/devcontainer.json .devcontainer.json", /Command$/],
  ["package.json", /^(?:lint-staged|simple-git-hooks|husky|gitHooks|pre-commit|pre-push)$/],
  [".lintstagedrc .lintstagedrc.json .simple-git-hooks.json simple-git-hooks.json lefthook.json .lefthook.json", /^/],
];

/** The same in TOML and YAML. */
const TEXT_CONFIGURATIONS: readonly string[] =
  ".codex/config.toml .pre-commit-config.yaml prek.toml lefthook.yml .lefthook.yml lefthook.yaml lefthook.toml".split(
    " ",
  );
/** A key with commands, and its value up to the next key. */
const TEXT_VALUE =
  /^[ \t]*(?:- +)?(?:command|args|env|cwd|notify|run|runner|entry|script)[ \t]*[:=](.*(?:\r?\n(?![ \t]*(?:- +)?["'\w.-]+[ \t]*[:=]|\[).*)*)/gm;

/** How many entries of a folder with code are searched for links. */
const MAX_ENTRIES = 2_000;
/** Folders that only their own programs fill. */
const DEPENDENCIES = /^(?:node_modules|\.git|\.?venv|site-packages)$/;

/**
 * Returns a function that tests whether a path holds code that runs without a further question: files that a tool imports, and what
 * a started command names. A path in a command covers everything below it, and the targets of links there. What a script names in
 * turn, and hard links, are not found.
 */
export function createCodeCheck(
  sources: CodeSources,
  roots: readonly string[],
  home?: string,
): (path: string) => boolean {
  const collected = new CodePaths(roots, home);
  for (const file of sources.files) collected.addFile(file);
  for (const file of sources.unread) collected.addUnread(file);
  for (const file of sources.loaded) collected.addImportsIn(file);
  for (const command of sources.commands) collected.addCommand(command);
  for (const file of sources.declared) collected.addConfiguration(file, /^handler$/, roots[0] ?? "");
  for (const root of roots) collected.addProject(root);
  for (const folder of sources.folders) collected.addFolder(folder);
  const { files, folders, patterns } = collected;
  const holdsCode = [...folders, ...files];
  return (path) => {
    const target = folded(path);
    return (
      keysOf(path).some((key) => files.has(key) || folders.has(key)) ||
      ancestorsOf(target).some((folder) => folders.has(folder)) ||
      patterns.some((pattern) => pattern.test(target)) ||
      // A write to a folder can replace the code in it.
      (!roots.includes(path) && holdsCode.some((code) => isInside(target, code)))
    );
  };
}

class CodePaths {
  readonly files = new Set<string>();
  /** Everything below them is code. */
  readonly folders = new Set<string>();
  readonly patterns: RegExp[] = [];
  readonly #roots: readonly string[];
  readonly #home: string | undefined;
  readonly #listed = new Map<string, readonly string[]>();
  readonly #searched = new Set<string>();
  readonly #gitConfigs = new Set<string>();
  readonly #real = new Map<string, string>();

  constructor(roots: readonly string[], home: string | undefined) {
    this.#roots = roots;
    this.#home = home;
  }

  /** Everything in `node_modules` is known code: a tool may import thousands of files from there. */
  addFile(file: string): void {
    if (file.includes(`${sep}node_modules${sep}`)) return;
    const folder = dirname(file);
    const real = this.#list(folder).includes(basename(file))
      ? resolveLinks(file)
      : join(this.#realFolder(folder), basename(file));
    for (const path of new Set([file, real])) for (const key of keysOf(path)) this.files.add(key);
  }

  addUnread(file: string): void {
    this.addFile(file);
    for (const { path, imports } of readWithImports(file)) for (const each of [path, ...imports]) this.addFile(each);
  }

  /** What the text of a file names, without what is named there in turn. */
  addImportsIn(file: string): void {
    const [first] = readWithImports(file);
    for (const each of first?.imports ?? []) this.addFile(each);
  }

  addFolder(folder: string): void {
    const real = resolveLinks(folder);
    for (const path of [folder, real]) this.folders.add(folded(path));
    this.#addLinksBelow(real, { left: MAX_ENTRIES });
  }

  addCommand({ words, folder }: StartedCommand): void {
    const paths = pathsIn(words);
    // After `cd`, a path with ".." may lead to any folder above another one.
    const isFromTop = paths.some((path) => path.split("/").includes(".."));
    for (const path of paths) {
      const absolute = resolve(folder, path);
      if (path.includes("*")) this.#addPattern(absolute);
      else this.#addNamed(isFromTop ? this.#topOf(absolute) : absolute);
    }
  }

  /** The commands in a JSON file, with or without comments: all texts below these keys. */
  addConfiguration(file: string, keys: RegExp, folder: string): void {
    const read = readAgentConfig(file, "MCP servers");
    if (read.kind === "read") this.addCommand({ words: textsBelow(read.value, keys), folder });
  }

  /** Commands that Git, package managers, agents and editors start in a project, and the targets of links with well-known names. */
  addProject(root: string): void {
    for (const [names, keys] of CONFIGURATIONS) {
      for (const name of names.split(/\s+/)) {
        const path = join(root, name);
        const files = name.endsWith("/") ? this.#list(path).map((each) => join(path, each)) : [path];
        for (const file of files) this.addConfiguration(file, keys, root);
      }
    }
    for (const name of TEXT_CONFIGURATIONS) {
      for (const [, words = ""] of (readText(join(root, name)) ?? "").matchAll(TEXT_VALUE))
        this.addCommand({ words, folder: root });
    }
    for (const folder of gitFoldersOf(root)) {
      for (const name of ["config", "config.worktree"]) this.#addGitConfig(join(folder, name), root);
      for (const name of ["config", "config.worktree", "info/attributes"]) this.#addTarget(join(folder, name));
      this.addFolder(join(folder, "hooks"));
    }
    for (const name of this.#home === undefined ? [] : [".gitconfig", ".config/git/config"])
      this.#addGitConfig(join(this.#home ?? "", name), root);
    const known = this.#list(root).filter((name) => isKnownCode(name) && !DEPENDENCIES.test(name));
    for (const name of known) {
      const real = resolveLinks(join(root, name));
      if (real !== join(resolveLinks(root), name)) this.folders.add(folded(real));
      this.#addLinksBelow(real, { left: MAX_ENTRIES });
    }
  }

  #addGitConfig(file: string, root: string): void {
    if (this.#gitConfigs.has(file)) return;
    this.#gitConfigs.add(file);
    const isOfUser = !this.#roots.some((each) => isInside(each, file)) && isInside(this.#home ?? file, file);
    for (const setting of gitSettingsIn(readText(file) ?? "")) {
      if (!isInclude(setting)) {
        if (mayNameProgram(setting, isOfUser)) this.addCommand({ words: [setting.value], folder: root });
        continue;
      }
      const included = resolve(dirname(file), setting.value.replace(/^~(?=\/)/, this.#home ?? "~"));
      this.#addNamed(included);
      this.#addGitConfig(included, root);
    }
  }

  #addLinksBelow(folder: string, entries: { left: number }): void {
    if (this.#searched.has(folder) || this.#roots.includes(folder)) return;
    this.#searched.add(folder);
    for (const entry of entriesIn(folder)) {
      entries.left -= 1;
      if (entries.left < 0) return;
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) this.#addTarget(path);
      else if (entry.isDirectory() && !DEPENDENCIES.test(entry.name)) this.#addLinksBelow(path, entries);
    }
  }

  #addTarget(link: string): void {
    const real = resolveLinks(link);
    if (this.#roots.some((root) => real !== root && isInside(root, real))) this.#addNamed(real);
  }

  /** A path in a command may lack an extension. One above the project covers all of it; `/` is not meant as a path. */
  #addNamed(path: string): void {
    const isRelevant = this.#roots.some((root) => isInside(root, path) || isInside(path, root));
    if (!isRelevant || path === parse(path).root) return;
    for (const each of new Set([path, resolveLinks(path)])) {
      const whole = folded(each);
      this.folders.add(whole).add(stemOf(whole));
    }
    this.#addLinksBelow(resolveLinks(path), { left: MAX_ENTRIES });
  }

  #addPattern(path: string): void {
    const source = folded(path)
      .split("*")
      .map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
      .join("[^/]*");
    const pattern = new RegExp(`^${source}(?:/|$)`);
    this.patterns.push(pattern);
    const all = this.#list(dirname(path)).map((name) => join(dirname(path), name));
    for (const each of all) if (pattern.test(folded(each))) this.#addTarget(each);
  }

  /** The folder or file at the top of the project that the path is in. */
  #topOf(path: string): string {
    const root = this.#roots.find((each) => path !== each && isInside(each, path));
    return root === undefined ? path : join(root, relative(root, path).split(sep)[0] ?? "");
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
    const names = entriesIn(folder).map(({ name }) => name);
    this.#listed.set(folder, names);
    return names;
  }
}

/** The keys under which a path is compared: an import may omit the extension, and the name of an index file. */
function keysOf(path: string): string[] {
  const stem = stemOf(folded(path));
  return /^(?:index|__init__|__main__)$/.test(basename(stem)) ? [stem, dirname(stem)] : [stem];
}

function stemOf(path: string): string {
  return path.slice(0, path.length - extname(path).length);
}

/** The path and all folders above it. */
function ancestorsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...ancestorsOf(parent)];
}

/** All texts that an object holds at these keys or below them. */
function textsBelow(value: unknown, keys: RegExp, isBelow = false): string[] {
  if (typeof value === "string") return isBelow ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => textsBelow(each, keys, isBelow || keys.test(key)));
}

/** The folders with the configuration and hooks of a repository. In a worktree, `.git` is a file that names the folder. */
function gitFoldersOf(root: string): string[] {
  const dotGit = join(root, ".git");
  const named = /^gitdir: *(.+?)\s*$/m.exec(readText(dotGit) ?? "")?.[1];
  const folder = named === undefined ? dotGit : resolve(root, named);
  const common = readText(join(folder, "commondir"))?.trim();
  return common ? [folder, resolve(folder, common)] : [folder];
}
