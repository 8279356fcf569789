import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { VERSION } from "../../core/version.ts";
import { ambientText } from "./editor/ambient.ts";
import { tsconfigText } from "./editor/tsconfig.ts";

/** A file that editors need for tool files. */
export interface EditorFile {
  /** Relative to the `.toolwright` folder. */
  readonly path: string;
  readonly text: string;
  /** Whether `init` updates it. Other files belong to the user once they exist. */
  readonly generated: boolean;
}

const MARK = "// Written by `toolwright init`";

/** Whether `init` wrote the file, and the user has not removed its mark. */
export function isGenerated(text: string): boolean {
  return text.startsWith(MARK);
}

/**
 * The types and the `tsconfig.json` that refers to them. The types are copies, so that they work in a fresh clone on a machine
 * without Toolwright.
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

/** Beside the built program, or in `dist` when run from the sources. */
function builtTypes(): string {
  const beside = import.meta.url.endsWith(".ts") ? "../../../dist/editor" : "./editor";
  const folder = fileURLToPath(new URL(beside, import.meta.url));
  if (existsSync(folder)) return folder;
  throw new Error(`The types for editors are missing from ${folder}. Install toolwright again.`);
}

/** Whether the real types of a runtime are installed. */
function hasTypes(runtime: string, directory: string): boolean {
  if (existsSync(join(directory, "node_modules", "@types", runtime))) return true;
  const parent = dirname(directory);
  return parent !== directory && hasTypes(runtime, parent);
}
