import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { readText } from "../../../catalog/discovery/read-config-file.ts";
import { makePrivateFolder } from "../../../settings/private-file.ts";
import { type Command, type Invocation, isSet } from "../args/command.ts";
import { configsOfOtherFolders } from "../editor/other-folders.ts";
import { type EditorFile, editorFiles, isGenerated } from "../editor-files.ts";
import { ALREADY, reasonToWithhold, refuseLinkOut, trustFields, trustLines, trustUnless } from "../first-trust.ts";
import { inspectWithoutTrustFlag } from "../inspect-for.ts";
import { printable, printJson, shownPath } from "../output/print.ts";
import { writeWhole } from "../output/write-whole.ts";
import { printWarnings } from "../print-warnings.ts";

/** `toolwright init`. */
export const init: Command = {
  spec: {
    usage: "toolwright init [--global] [options]",
    about: `Creates .toolwright/tools, and writes types with which an editor completes and checks tool files without installed
packages (.toolwright/tsconfig.json, .toolwright/types). Commit them: they work in a fresh clone. Run it again after an
update of Toolwright to update the types. Files that you have changed stay as they are.

With --all, every other folder that is searched for tools and exists, such as .opencode/tools, .pi/extensions and
.claude/tools, gets a tsconfig.json with these types, unless it has one. With --global --all, the folders in your home
folder do.`,
    options: {
      global: { type: "boolean", help: "Prepare the folder for all projects instead" },
      all: { type: "boolean", help: "Prepare the tools folders of other systems too" },
    },
    positionals: [0, 0],
    examples: ["toolwright init", "toolwright init --all", "toolwright init --global --all"],
  },
  run: initialise,
};

async function initialise(invocation: Invocation): Promise<number> {
  const isGlobal = isSet(invocation, "global");
  const before = inspectWithoutTrustFlag(invocation);
  const { root, trusted } = before.discovered.project;
  const folder = isGlobal ? before.homes.toolwrightHome : join(root, ".toolwright");
  const kind = isGlobal ? "global" : "project";
  const base = isGlobal ? before.homes.home : root;
  const others = isSet(invocation, "all") ? before.discovered.locations : [];
  const configs = configsOfOtherFolders(others, { kind, base, folder });
  const files = [...filesOf(folder), ...configs.map((config) => ({ ...config, generated: false }))];
  const paths = [join(folder, "tools"), ...files.map(({ path }) => path)];
  if (!isGlobal) for (const path of paths) refuseLinkOut(path, before);
  printWarnings(before.warnings, invocation);
  const reason = isGlobal || trusted ? undefined : reasonToWithhold(invocation, before, ["toolwright"]);
  if (isGlobal) makePrivateFolder(folder);
  const made = prepare(folder, files);
  const trust = isGlobal ? ALREADY : await trustUnless(reason, before);
  if (invocation.globals.json) printJson(invocation.terminal, { folder, ...made, ...trustFields(trust, before) });
  else print(made, trustLines(trust, before, invocation.globals.cwd), invocation);
  return 0;
}

interface Made {
  readonly written: string[];
  readonly removed: string[];
  readonly unchanged: string[];
  readonly leftAlone: string[];
}

/** The files of `.toolwright`, with absolute paths. */
function filesOf(folder: string): EditorFile[] {
  return editorFiles(folder).map((file) => ({ ...file, path: join(folder, file.path) }));
}

function prepare(folder: string, files: readonly EditorFile[]): Made {
  const made: Made = { written: [], removed: [], unchanged: [], leftAlone: [] };
  const tools = join(folder, "tools");
  made[existsSync(tools) ? "unchanged" : "written"].push(tools);
  mkdirSync(tools, { recursive: true });
  for (const file of files) made[update(file)].push(file.path);
  made.removed.push(...removeOld(join(folder, "types"), new Set(files.map(({ path }) => path))));
  return made;
}

/** Removes types of an earlier version that this one no longer has. */
function removeOld(types: string, wanted: ReadonlySet<string>): string[] {
  const old = readdirSync(types)
    .map((name) => join(types, name))
    .filter((path) => path.endsWith(".d.mts") && !wanted.has(path) && isGenerated(readText(path) ?? ""));
  for (const path of old) rmSync(path);
  return old;
}

function update({ path, text, generated }: EditorFile): Exclude<keyof Made, "removed"> {
  const there = readText(path);
  if (there === text) return "unchanged";
  // An unreadable path, such as a pipe, is not ours.
  if (existsSync(path) && !(generated && isGenerated(there ?? ""))) return "leftAlone";
  mkdirSync(dirname(path), { recursive: true });
  writeWhole(path, text, "w");
  return "written";
}

function print(
  { written, removed, leftAlone }: Made,
  trust: readonly string[],
  { globals, terminal }: Invocation,
): void {
  const lines = (title: string, paths: readonly string[]): string[] =>
    paths.length === 0 ? [] : [title, ...paths.map((path) => `  ${shownPath(path, globals.cwd)}`), ""];
  const text = [
    ...lines("Wrote:", written),
    ...lines("Removed, because it is no longer needed:", removed),
    ...lines("Not changed, because it was edited (delete it to get a new one):", leftAlone),
    ...(written.length + removed.length + leftAlone.length === 0 ? ["Everything is up to date.", ""] : []),
    ...trust.map(printable),
    "Next:",
    "  toolwright new my-tool",
  ];
  terminal.stdout.write(`${text.join("\n")}\n`);
}
