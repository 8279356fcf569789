import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { VERSION } from "../../core/version.ts";
import { ambientText } from "./editor/ambient.ts";
import { tsconfigText } from "./editor/tsconfig.ts";

/** A file that makes an editor understand tool files. */
export interface EditorFile {
  /** From the `.toolwright` folder. */
  readonly path: string;
  readonly text: string;
  /** Ours to bring up to date; any other belongs to the user once it is there. */
  readonly generated: boolean;
}

const MARK = "// Written by `toolwright init`";

/** Whether a file was written by an earlier run, and nobody has made it their own. */
export function isGenerated(text: string): boolean {
  return text.startsWith(MARK);
}

/**
 * The types on disk and the `tsconfig.json` that leads to them. The types are copies, so that they are there in a
 * fresh clone too, on a machine that has installed nothing.
 */
export function editorFiles(project: string): EditorFile[] {
  const runtimes = ["node", "bun"].filter((runtime) => hasTypes(runtime, project));
  return [
    ...bundledTypes().map(({ name, text }) => generated(name, text)),
    generated("ambient.d.ts", ambientText(runtimes)),
    { path: "tsconfig.json", text: tsconfigText(runtimes), generated: false },
  ];
}

function generated(name: string, text: string): EditorFile {
  const mark = `${MARK} (${VERSION}), which replaces it when it is run again.`;
  return { path: join("types", name), text: `${mark}\n${text}`, generated: true };
}

function bundledTypes(): { name: string; text: string }[] {
  const folder = builtTypes();
  return readdirSync(folder)
    .filter((name) => name.endsWith(".d.mts"))
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
}

/** Beside the built program; from the sources, where the build puts them. */
function builtTypes(): string {
  const beside = import.meta.url.endsWith(".ts") ? "../../../dist/editor" : "./editor";
  const folder = fileURLToPath(new URL(beside, import.meta.url));
  if (existsSync(folder)) return folder;
  throw new Error(`The types for editors are missing from ${folder}. Install toolwright again.`);
}

/** Whether somebody has installed the real types of a runtime. */
function hasTypes(runtime: string, directory: string): boolean {
  if (existsSync(join(directory, "node_modules", "@types", runtime))) return true;
  const parent = dirname(directory);
  return parent !== directory && hasTypes(runtime, parent);
}
