import { extname } from "node:path";

/** Characters that end a word, in a shell and in most languages. */
const BETWEEN = /[\s"'`;|&<>(){}[\],=*?!]+/;
/** `$HOME`, `${HOME}`: the value is unknown here, so only the text after it is used. */
const VARIABLE = /\$(?:\w+|\{\w+\})/g;
const MAX_WORDS = 20_000;

/** Every word of a command that could name a file, also those within quotes, and Python modules as paths. */
export function wordsOf(command: string | readonly string[]): string[] {
  const parts = typeof command === "string" ? [command] : command;
  const words = parts.flatMap((part) => [
    ...(typeof command === "string" ? [] : [part]),
    ...quotedIn(part),
    ...splitWords(part),
  ]);
  return withModules(words);
}

/** The words of a script that name other scripts: those with a script's extension, relative ones, and imported modules. */
export function scriptsIn(text: string, file: string): string[] {
  const words = splitWords(text).filter((word) => /^\.{1,2}\//.test(word) || SCRIPTS.has(extname(word)));
  const sourced = [...text.matchAll(/(?:\brequire_relative|\bsource(?:_env)?|^\s*\.)\s+["']?([^\s"';]+)/gm)];
  return [...words, ...sourced.map(([, word = ""]) => word), ...(file.endsWith(".py") ? pythonModules(text) : [])];
}

/** The words of a shell script that could be paths of programs without an extension. */
export function programsIn(text: string): string[] {
  return splitWords(text).filter((word) => /[^/]\/[^/.]+$/.test(word));
}

/** The folders that a shell script enters. */
export function enteredFolders(text: string): string[] {
  return [...text.matchAll(/\bcd[ \t]+["']?([^\s"';&|$()]+)/g)].map(([, path = ""]) => path);
}

const SCRIPTS: ReadonlySet<string> = new Set(
  ".js .mjs .cjs .jsx .ts .mts .cts .tsx .py .sh .bash .zsh .fish .rb .pl .php .lua .ps1 .bat .cmd .awk .mk".split(" "),
);

function splitWords(text: string): string[] {
  return text
    .replace(VARIABLE, "")
    .replace(/\\(?=[ "'])/g, "")
    .split(BETWEEN, MAX_WORDS)
    .filter(Boolean);
}

/** Quoted words, which may contain spaces. */
function quotedIn(text: string): string[] {
  return [...text.replace(VARIABLE, "").matchAll(/"([^"]*)"|'([^']*)'|((?:\\.|[^\s\\"'])+)/g)].map(
    ([, double, single, bare = ""]) => double ?? single ?? bare.replace(/\\(.)/g, "$1"),
  );
}

function withModules(words: readonly string[]): string[] {
  const modules = words.filter((word) => /^\w+(?:\.\w+)+$/.test(word)).map((word) => word.replaceAll(".", "/"));
  return [...words, ...modules];
}

/** `from a.b import c` is `a/b` and `a/b/c`. */
function pythonModules(text: string): string[] {
  const imports = text.matchAll(/^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+)?import[ \t]+([\w., ()]+)/gm);
  const modules = [...imports].flatMap(([, from, names = ""]) => {
    const each = names.split(/[\s,()]+/).filter(Boolean);
    return from === undefined ? each : [from, ...each.map((name) => `${from}.${name}`)];
  });
  return modules.map((module) => module.replace(/^\.+/, "").replaceAll(".", "/")).filter(Boolean);
}

const INSTALLS = /^(?:install|ci|i|add)$/;
const INSTALL_SCRIPT = /^(?:(?:pre|post)?install|(?:pre|post)?prepare)$/;

/** The scripts of a `package.json` that a command runs: those that it names, and those that npm runs on installation. */
export function scriptsRun(command: string, manifest: string | undefined): [name: string, script: string][] {
  const { scripts } = jsonIn(manifest);
  const words = wordsOf(command);
  const isNamed = (name: string): boolean => {
    const own = name.replace(/^(?:pre|post)/, "");
    return words.some((word) => word === name || word === own || (word.endsWith(":") && name.startsWith(word)));
  };
  const installs = words.some((word) => INSTALLS.test(word));
  return Object.entries(scripts ?? {}).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === "string" && (isNamed(entry[0]) || (installs && INSTALL_SCRIPT.test(entry[0]))),
  );
}

/** The object in a JSON text; empty if the text is not a JSON object. */
export function jsonIn(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
