/**
 * Measures the sources in `src/` without tests: sizes of files, the depth of imports, rooms, names and functions. With another
 * checkout as argument, prints both side by side: `npm run measure -- ../before`.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";

const LONG_FUNCTION = 60;
const MANY_PARAMETERS = 5;

/** A node of the syntax tree, of which only these fields are read. */
interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

interface SourceFile {
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly string[];
  /** The names that it declares and exports. */
  readonly exports: readonly string[];
  readonly functions: readonly { readonly lines: number; readonly parameters: number }[];
}

/** What was measured, in the order in which it is printed. */
export type Measures = Readonly<Record<string, number>>;

/** Measures the sources below a folder that has `src/`. */
export function measureSource(root: string): Measures {
  const folder = join(root, "src");
  const paths = globSync("**/*.ts", { cwd: folder }).filter((path) => !path.endsWith(".test.ts"));
  const files = paths.map((path) => readSource(folder, path));
  const sizes = files.map(({ lines }) => lines).sort((a, b) => a - b);
  const at = (share: number): number => sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * share))] ?? 0;
  const functions = files.flatMap((file) => file.functions);
  const declared = new Map<string, number>();
  for (const name of files.flatMap((file) => file.exports)) declared.set(name, (declared.get(name) ?? 0) + 1);
  const rooms = new Set(paths.filter((path) => path.includes("/")).map((path) => path.split("/")[0]));
  const { depth, cycles } = importGraph(files);
  return {
    files: files.length,
    lines: sizes.reduce((sum, lines) => sum + lines, 0),
    "lines of a file, median": at(0.5),
    "lines of a file, 90th percentile": at(0.9),
    "lines of a file, most": at(1),
    rooms: rooms.size,
    "files in the longest chain of imports": depth,
    "import cycles": cycles,
    "exported names": declared.size,
    "exported names declared in several files": [...declared.values()].filter((count) => count > 1).length,
    [`functions over ${LONG_FUNCTION} lines`]: functions.filter(({ lines }) => lines > LONG_FUNCTION).length,
    [`functions with ${MANY_PARAMETERS} or more parameters`]: functions.filter(
      ({ parameters }) => parameters >= MANY_PARAMETERS,
    ).length,
  };
}

function readSource(folder: string, path: string): SourceFile {
  const text = readFileSync(join(folder, path), "utf8");
  const program = parseSync(path, text).program as unknown as SyntaxNode;
  const functions: { lines: number; parameters: number }[] = [];
  const imports = new Set<string>();
  visit(program, (node) => {
    const source = (node.source as { value?: unknown } | null | undefined)?.value;
    if (typeof source === "string" && source.startsWith("."))
      imports.add(relative(folder, resolve(folder, dirname(path), source)));
    if (!isFunction(node)) return;
    const lines = text.slice(node.start, node.end).split("\n").length;
    functions.push({ lines, parameters: parametersOf(node) });
  });
  const exports = (program.body as SyntaxNode[]).flatMap(exportedNames);
  return { path, lines: text.split("\n").length - 1, imports: [...imports], exports, functions };
}

function isFunction({ type }: SyntaxNode): boolean {
  return ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"].includes(type);
}

function parametersOf({ params }: SyntaxNode): number {
  return Array.isArray(params) ? params.length : 0;
}

/** The names of a top-level `export` that declares them. */
function exportedNames(node: SyntaxNode): string[] {
  const declaration = node.type === "ExportNamedDeclaration" ? (node.declaration as SyntaxNode | null) : null;
  if (!declaration) return [];
  const declarations = (declaration.declarations as SyntaxNode[] | undefined) ?? [declaration];
  return declarations.flatMap(({ id }) => (id as { name?: string } | undefined)?.name ?? []);
}

function visit(node: unknown, seen: (node: SyntaxNode) => void): void {
  if (Array.isArray(node)) for (const each of node) visit(each, seen);
  else if (typeof node === "object" && node !== null) {
    if (typeof (node as SyntaxNode).type === "string") seen(node as SyntaxNode);
    for (const value of Object.values(node)) visit(value, seen);
  }
}

/** The number of files in the longest chain of imports, types included, and the number of imports that close a cycle. */
function importGraph(files: readonly SourceFile[]): { depth: number; cycles: number } {
  const imports = new Map(files.map((file) => [file.path, file.imports]));
  const depths = new Map<string, number>();
  let cycles = 0;
  const depthOf = (path: string, above: ReadonlySet<string>): number => {
    const known = depths.get(path);
    if (known !== undefined) return known;
    if (above.has(path)) {
      cycles += 1;
      return 0;
    }
    const below = new Set([...above, path]);
    const depth = 1 + Math.max(0, ...(imports.get(path) ?? []).map((each) => depthOf(each, below)));
    depths.set(path, depth);
    return depth;
  };
  const depth = Math.max(0, ...files.map(({ path }) => depthOf(path, new Set())));
  return { depth, cycles };
}

/** Each measure on a line, of both checkouts if there are two. */
function table(columns: readonly Measures[]): string {
  const names = Object.keys(columns[0] ?? {});
  const width = Math.max(...names.map((name) => name.length));
  return names
    .map((name) => [name.padEnd(width), ...columns.map((each) => `${each[name]}`.padStart(7))].join(" "))
    .join("\n");
}

if (import.meta.main) {
  const here = fileURLToPath(new URL("..", import.meta.url));
  const roots = [...process.argv.slice(2).map((path) => resolve(path)), here];
  console.log(table(roots.map(measureSource)));
}
