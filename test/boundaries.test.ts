import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { FOLDERS, type Folder, PAGE, ROOMS, withPicture } from "../build/layout.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SRC = join(ROOT, "src");
const WEB = join(ROOT, "web/src");

interface Import {
  readonly target: string;
  readonly kind: "value" | "type" | "lazy";
}

const files = globSync("**/*.ts", { cwd: SRC }).filter((file) => !file.endsWith(".test.ts"));
const imports = new Map(files.map((file) => [file, importsOf(SRC, file)]));
const pageFiles = globSync("**/*.{ts,tsx}", { cwd: WEB }).filter((file) => !/\.test\.tsx?$/.test(file));

describe("the layout of src", () => {
  it.each(files)("%s imports only folders above its own in the layout table", (file) => {
    const folder = FOLDERS.find(({ name }) => name === folderOf(file));
    const wrong = importsIn(file).filter(({ target, kind }) => {
      const to = folderOf(target);
      return to !== folder?.name && !allows(folder?.imports, to) && !(kind !== "value" && allows(folder?.lazy, to));
    });
    expect(wrong).toEqual([]);
  });

  it.each(pageFiles)("web/src/%s imports only what the page may use", (file) => {
    const wrong = importsOf(WEB, file)
      .map(({ target }) => relative(SRC, resolve(WEB, target)))
      .filter((target) => !target.startsWith(join("..", "web")) && !allows(PAGE, folderOf(target)));
    expect(wrong).toEqual([]);
  });

  it("has each folder in the table, and only index.ts at its root", () => {
    expect(files.filter((file) => folderOf(file) === "")).toEqual([]);
    expect(FOLDERS.filter(({ name }) => !files.some((file) => folderOf(file) === name))).toEqual([]);
  });

  it("has twelve rooms", () => {
    expect(ROOMS).toHaveLength(12);
  });

  it.each(ROOMS)("%s says in a short README what it holds", (room) => {
    const text = readFileSync(join(SRC, room, "README.md"), "utf8");
    expect(text.split("\n").length).toBeLessThanOrEqual(25);
    const named = [...text.matchAll(/`([\w./-]+\.(?:ts|json|txt)|[\w./-]+\/)`/g)].map(([, path]) => path as string);
    expect(named.filter((path) => ![SRC, join(SRC, room), ROOT].some((from) => existsSync(join(from, path))))).toEqual(
      [],
    );
  });

  it("has no folder that imports a later one, so that folders form no cycle", () => {
    const order = FOLDERS.map(({ name }) => name);
    const later = FOLDERS.flatMap(({ name, imports, lazy = [] }) =>
      FOLDERS.filter((to) => allows([...imports, ...lazy], to.name))
        .map((to) => to.name)
        // The built-in tools and the command line use the public API, like any user.
        .filter((to) => to !== "index.ts")
        .filter((to) => order.indexOf(to) >= order.indexOf(name))
        .map((to) => `${name} → ${to}`),
    );
    expect(later).toEqual([]);
    expect(cycles(folderImports())).toEqual([]);
  });

  it("has no import cycles between files, types included", () => {
    expect(cycles(new Map(files.map((file) => [file, importsIn(file).map(({ target }) => target)])))).toEqual([]);
  });

  it("loads no code of host processes into the serving process", () => {
    const entries = [
      "toolbox/open-toolbox.ts",
      "surfaces/mcp/index.ts",
      "surfaces/cli/main.ts",
      "surfaces/http/server/serve-http.ts",
    ];
    // A toolbox with `isolation: "none"`, or with tools passed as values, runs them in its own process.
    const reached = reach(entries, (file) => file === "host/process/in-process.ts" || file === "index.ts");
    expect(reached.filter((file) => processOf(file) === "host")).toEqual([]);
  });

  it("loads no code of the serving process into a host process", () => {
    const reached = reach([
      "host/process/child.ts",
      "authoring/pi/index.ts",
      "authoring/pi/values.ts",
      "authoring/opencode/index.ts",
    ]);
    expect(reached.filter((file) => processOf(file) === "serving")).toEqual([]);
  });

  it("keeps Node out of core", () => {
    const texts = files
      .filter((file) => folderOf(file) === "core")
      .map((file) => readFileSync(join(SRC, file), "utf8"));
    expect(texts.filter((text) => /from "node:/.test(text))).toEqual([]);
  });

  it("has no folders with vague names", () => {
    expect(files.filter((file) => /(^|\/)(utils?|common|shared|helpers?)\//.test(file))).toEqual([]);
  });

  it("has no two files of the same name", () => {
    // Built-in tools and commands are files named like the tool or command; index.ts holds the exports of a package.
    const named = files.filter((file) => !/^builtins\/[^/]+$|^surfaces\/cli\/commands\//.test(file));
    const names = named.map((file) => basename(file)).filter((name) => name !== "index.ts");
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("is shown in AGENTS.md: run `npm run layout` after a change", () => {
    const text = readFileSync(join(ROOT, "AGENTS.md"), "utf8");
    expect(text).toBe(withPicture(text));
  });
});

describe("AGENTS.md", () => {
  it("names only files that exist", () => {
    const text = readFileSync(join(ROOT, "AGENTS.md"), "utf8");
    const paths = [...text.matchAll(/`([\w./-]+\/[\w.-]+\.(?:ts|mjs|md))`/g)].map(([, path]) => path as string);
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)) && !existsSync(join(SRC, path)))).toEqual([]);
  });
});

/** The imports of a file below a root, as paths relative to that root. */
function importsOf(root: string, file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8");
  const found = text.matchAll(
    /(?:^|\n)(?:import|export)\s+(type\s)?[^;"]*?(?:from\s+)?"(\.[^"]+\.tsx?)"|\bimport\(\s*"(\.[^"]+\.tsx?)"\s*\)/g,
  );
  return [...found].map(([, type, fixed, lazy]) => ({
    target: relative(root, resolve(root, dirname(file), (fixed ?? lazy) as string)),
    kind: lazy ? "lazy" : type ? "type" : "value",
  }));
}

function importsIn(file: string): readonly Import[] {
  return imports.get(file) ?? [];
}

/** The folder of the table that a file belongs to: the innermost. Empty if there is none. */
function folderOf(file: string): string {
  const around = FOLDERS.map(({ name }) => name).filter((name) => file === name || file.startsWith(`${name}/`));
  return around.sort((one, other) => other.length - one.length)[0] ?? "";
}

/** Whether a list that may name rooms allows a folder. */
function allows(names: Folder["imports"] = [], folder: string): boolean {
  return names.some((name) => folder === name || folder.startsWith(`${name}/`));
}

function processOf(file: string): string | undefined {
  return FOLDERS.find(({ name }) => name === folderOf(file))?.process;
}

/** Every file that these import, statically or dynamically. */
function reach(entries: readonly string[], isEnd: (file: string) => boolean = () => false): string[] {
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file) || isEnd(file)) return;
    found.add(file);
    for (const { target, kind } of importsIn(file)) if (kind !== "type") visit(target);
  };
  entries.forEach(visit);
  return [...found];
}

function folderImports(): Map<string, string[]> {
  const graph = new Map<string, Set<string>>();
  for (const file of files) {
    const targets = graph.get(folderOf(file)) ?? new Set();
    graph.set(folderOf(file), targets);
    for (const { target } of importsIn(file)) if (folderOf(target) !== folderOf(file)) targets.add(folderOf(target));
  }
  return new Map([...graph].map(([folder, targets]) => [folder, [...targets]]));
}

/** Each cycle once, as the path back to its first file. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (node: string, path: string[]): void => {
    if (path.includes(node)) found.push([...path.slice(path.indexOf(node)), node].join(" → "));
    if (path.includes(node) || done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...path, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return found;
}
