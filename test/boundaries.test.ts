import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const SRC = fileURLToPath(new URL("../src", import.meta.url));

/** Who may import whom, from left to right. A folder may always import itself. `.` is the files at the root of src. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  core: [],
  "json-text": [],
  schema: ["core"],
  files: ["core"],
  authoring: ["core", "files"],
  process: ["core", "files"],
  formats: ["core", "json-text", "schema", "process", "files", "authoring"],
  permissions: ["core", "files"],
  config: ["core", "json-text", "files", "process", "permissions"],
  discovery: ["core", "json-text", "files", "config", "process"],
  loader: ["core"],
  output: ["core"],
  host: ["core", "schema", "formats", "discovery", "loader", "output", "process"],
  registry: ["core", "host"],
  pipeline: ["core", "files", "config", "discovery", "host", "permissions", "process", "registry"],
  // `mcp` only in `served-toolbox.ts`, and only when an agent connects to what `toMcpServerConfig()` answers with.
  ".": [
    "core",
    "authoring",
    "formats",
    "config",
    "discovery",
    "host",
    "loader",
    "pipeline",
    "registry",
    "output",
    "mcp",
    ".",
  ],
  // Written like anybody's tools: of the rest of this package they see its door, and how to touch files and programs.
  builtins: ["files", "process", "."],
  // What is known of the programs that take our tools: where they are configured, and what they can read.
  clients: ["core", "json-text", "files", "config", "discovery"],
  fitting: ["core"],
  mcp: ["core", "output", "registry", "pipeline", "."],
  client: ["core"],
  "surfaces/http": ["core", "registry", "pipeline", "fitting", "mcp", "."],
  // Its commands start the other surfaces; it is the only one that knows them.
  "surfaces/cli": [
    ...[
      "core",
      "files",
      "config",
      "discovery",
      "registry",
      "pipeline",
      "clients",
      "fitting",
      "mcp",
      "surfaces/http",
      ".",
    ],
  ],
};

const files = globSync("**/*.ts", { cwd: SRC }).filter((file) => !file.endsWith(".test.ts"));
const imports = new Map(files.map((file) => [file, importsOf(file)]));

describe("the direction of the design", () => {
  it.each(files)("%s imports only what stands to its left", (file) => {
    const own = folderOf(file);
    const allowed = [own, ...(MAY_IMPORT[own] ?? [])];
    const wrong = (imports.get(file) ?? []).filter((target) => !allowed.includes(folderOf(target)));
    expect(wrong).toEqual([]);
  });

  it("has every folder in the table", () => {
    expect([...new Set(files.map(folderOf))].filter((folder) => !(folder in MAY_IMPORT))).toEqual([]);
  });

  it("has no import cycles, types included", () => {
    expect(cycles()).toEqual([]);
  });

  it("keeps Node out of core", () => {
    const texts = files
      .filter((file) => folderOf(file) === "core")
      .map((file) => readFileSync(join(SRC, file), "utf8"));
    expect(texts.filter((text) => /from "node:/.test(text))).toEqual([]);
  });

  it("has no folders that could hold anything", () => {
    expect(files.filter((file) => /(^|\/)(utils?|common|shared|helpers?)\//.test(file))).toEqual([]);
  });
});

function importsOf(file: string): string[] {
  const text = readFileSync(join(SRC, file), "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+\.ts)"/g)].map(([, specifier]) =>
    relative(SRC, resolve(SRC, dirname(file), specifier as string)),
  );
}

function folderOf(file: string): string {
  const parts = dirname(file).split("/");
  return parts[0] === "surfaces" ? parts.slice(0, 2).join("/") : (parts[0] as string);
}

/** Each cycle once, as the path back to where it began. */
function cycles(): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(" → "));
    if (path.includes(file) || done.has(file)) return;
    for (const next of imports.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return found;
}
