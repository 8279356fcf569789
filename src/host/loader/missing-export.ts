import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { firstNames } from "../../platform/text/amount-text.ts";
import { type Position, positionAt } from "../../platform/text/code-frame.ts";
import { codeOnly } from "../../platform/text/code-only.ts";
import { misspelled, nearest, suggestion } from "../../platform/text/nearest.ts";
import type { AuthorFile, FoundImport } from "./author-files.ts";
import { importsIn } from "./imports-in.ts";
import { Resolver } from "./resolve-import.ts";

const require = createRequire(import.meta.url);

/** An imported name that a module does not export. */
export interface MissingExport {
  readonly specifier: string;
  readonly name: string;
  /** The module has the name from more than one `export *`. */
  readonly ambiguous?: true;
}

const NODE = /^The requested module '(?<specifier>[^']+)' does not provide an export named '(?<name>[^']+)'/;
const NODE_COMMONJS =
  /^Named export '(?<name>[^']+)' not found\. The requested module '(?<specifier>[^']+)' is a CommonJS/;
const NODE_AMBIGUOUS =
  /^The requested module '(?<specifier>[^']+)' contains conflicting star exports for name '(?<name>[^']+)'/;

/** The export that is missing according to Node's error; undefined for other errors. Node throws a SyntaxError. */
export function missingExportIn(thrown: unknown): MissingExport | undefined {
  if (!(thrown instanceof SyntaxError)) return undefined;
  const conflict = NODE_AMBIGUOUS.exec(thrown.message);
  const found = conflict ?? NODE.exec(thrown.message) ?? NODE_COMMONJS.exec(thrown.message);
  const { specifier, name } = found?.groups ?? {};
  if (specifier === undefined || name === undefined) return undefined;
  return { specifier, name, ...(conflict ? { ambiguous: true } : {}) };
}

/** Where an export is imported, and a sentence about it that continues "It" or the name of the file. */
interface ExplainedExport {
  readonly file: string;
  readonly position?: Position;
  readonly reason: string;
}

/** Explains an export that one of some files imports although it does not exist. */
export function explainMissingExport(files: readonly AuthorFile[], missing: MissingExport): ExplainedExport {
  const { specifier, name } = missing;
  const uses = files.flatMap((file) => {
    const use = statementsIn(file.source).find(
      (each) => leadsTo(specifier, each.specifier, file) && each.offsetOf(name) >= 0,
    );
    if (!use) return [];
    const target = file.imports.find((each) => each.specifier === use.specifier)?.target;
    return [{ file, use, found: exportsOf(use.specifier, target) }];
  });
  // Files in different folders may import the name from different files with one specifier.
  const first = uses.find(({ found }) => !found.names.includes(name)) ?? uses[0];
  if (!first) return { file: files[0]?.path ?? "", reason: `imports ${reasonFor(missing, UNKNOWN, "import")}` };
  const { file, use, found } = first;
  return {
    file: file.path,
    position: positionAt(file.source, use.offsetOf(name)),
    reason: `${use.verb}s ${reasonFor({ ...missing, specifier: use.specifier }, found, use.verb)}`,
  };
}

/** Bun may name the path of the module instead of the specifier. */
function leadsTo(named: string, specifier: string, { imports }: AuthorFile): boolean {
  if (named === specifier) return true;
  return imports.some(
    ({ specifier: each, target }) => each === specifier && typeof target === "object" && target.path === named,
  );
}

function reasonFor({ specifier, name, ambiguous }: MissingExport, found: Exports, verb: Statement["verb"]): string {
  const others = found.names.filter((each) => each !== "default" && each !== name);
  if (name === "default") return `the default of "${specifier}", which ${noDefault(found, others[0])}`;
  const from = `{ ${name} } from "${specifier}"`;
  if (ambiguous) return `${from}, which has it from two files. There, name one: export { ${name} } from "./FILE".`;
  if (found.types.includes(name)) return `${from}, which is a type. Write: ${verb} type ${from}.`;
  if (found.declared.includes(name)) {
    return `${from}, which only declares it. There, remove "declare" and write its value, or here, write: ${verb} type ${from}.`;
  }
  const viaDefault = `import module from "${specifier}"; const { ${name} } = module;`;
  if (found.names.includes(name)) {
    const advice = found.isCommonJs
      ? `, a CommonJS module of which Node finds only some names. Write: ${viaDefault}`
      : `, whose text has this name, but exports no value of it. There, write: export { ${name} };`;
    return `${from}${advice}`;
  }
  const near = suggestion(misspelled(name, others)) || suggestion(nearest(name, others));
  const known = others.length > 0 ? `It exports ${firstNames(others, MAX_LISTED)}.` : "";
  const commonJs = found.isCommonJs
    ? `The module is CommonJS: if it has this name at run time, write ${viaDefault}`
    : "";
  return `${from}, which has no such export. ${near || commonJs || known || "Correct the name."}`;
}

function noDefault({ types }: Exports, example: string | undefined): string {
  if (types.includes("default")) return 'is a type. Write "import type" there.';
  const instead =
    example === undefined ? "It exports nothing." : `Use a name that it exports, as in import { ${example} }.`;
  return `has no default export. ${instead}`;
}

const MAX_LISTED = 12;

/** An `import … from` or `export … from`. */
interface Statement {
  readonly verb: "import" | "export";
  readonly specifier: string;
  /** The offset of an imported name in the source; -1 if it is not imported. */
  offsetOf(name: string): number;
}

const STATEMENT = /(?<![.\w$])(import|export)\b(?!\s*type\b)([^"'`;()=]*?)\bfrom\s*(?:" *"|' *')/g;

function statementsIn(source: string): Statement[] {
  const code = codeOnly(source);
  return [...code.matchAll(STATEMENT)].map(({ 0: statement, 1: verb = "", 2: clause = "", index }) => {
    const end = index + statement.length - 1;
    const start = code.lastIndexOf(code.charAt(end), end - 1) + 1;
    return {
      verb: verb as Statement["verb"],
      specifier: source.slice(start, end),
      offsetOf(name) {
        const found = (name === "default" ? defaultIn(clause) : undefined) ?? nameIn(clause, name);
        return found === undefined ? -1 : index + verb.length + found;
      },
    };
  });
}

function defaultIn(clause: string): number | undefined {
  return /^\s*[\w$]/.test(clause) ? clause.search(/\S/) : undefined;
}

function nameIn(clause: string, name: string): number | undefined {
  const found = new RegExp(`[{,]\\s*(?<name>${name.replace(/\W/g, "\\$&")})\\s*(?:,|\\}|as\\b)`, "d").exec(clause);
  return found?.indices?.groups?.name?.[0];
}

/** What a module exports, as far as its text says so. */
interface Exports {
  readonly names: readonly string[];
  readonly types: readonly string[];
  /** Names of `export declare`, which TypeScript removes. */
  readonly declared: readonly string[];
  readonly isCommonJs: boolean;
}

const UNKNOWN: Exports = { names: [], types: [], declared: [], isCommonJs: false };

/** Loads only modules of Node and of this package. */
function exportsOf(specifier: string, target: FoundImport["target"]): Exports {
  if (target === undefined) return UNKNOWN;
  try {
    if (target === "builtin") return { ...UNKNOWN, names: Object.keys(require(specifier)) };
    if (target.ours) return { ...UNKNOWN, names: Object.keys(require(target.path)) };
    return exportsIn(target.path, new Set());
  } catch {
    return UNKNOWN;
  }
}

const MAX_FILES = 50;
const WITH_VALUE =
  /\bexport\s+(?:default\s+)?(?:abstract\s+)?(?:async\s+)?(?:const\s+enum|const|let|var|function\s*\*?|class|enum)\s+([\w$]+)/g;
const DECLARED =
  /\bexport\s+declare\s+(?:abstract\s+)?(?:const\s+enum|const|let|var|function|class|enum|namespace)\s+([\w$]+)/g;
const LISTS = /\bexport\s*\{([^}]*)\}/g;
const NAMESPACES = /\bexport\s*\*\s*as\s+([\w$]+)/g;
const STARS = /\bexport\s*\*\s*from\s*(?:" *"|' *')/g;
const TYPES = /\b(?:interface|type)\s+([\w$]+)/g;
const COMMONJS = /\bexports\.([\w$]+)\s*=/g;
const COMMONJS_OBJECT = /\bmodule\.exports\s*=\s*\{([^{}()]*)/;

function exportsIn(path: string, seen: Set<string>): Exports {
  if (seen.has(path) || seen.size >= MAX_FILES || !/^\.[cm]?[jt]s$/.test(extname(path))) return UNKNOWN;
  seen.add(path);
  const source = readFileSync(path, "utf8");
  const code = codeOnly(source);
  const matches = (pattern: RegExp): string[] => [...code.matchAll(pattern)].map(([, name = ""]) => name);
  const starEnds = new Set([...code.matchAll(STARS)].map(({ 0: { length }, index }) => index + length - 1));
  const resolver = new Resolver();
  const inner = importsIn(source, code)
    .filter(({ end }) => starEnds.has(end))
    .flatMap(({ specifier }) => resolver.resolve(specifier, path, "import") ?? [])
    .map((found) => exportsIn(found.path, seen));
  const own = [
    ...matches(WITH_VALUE),
    ...matches(LISTS).flatMap(namesInList),
    ...matches(NAMESPACES),
    ...(/\bexport\s+default\b(?!\s+interface\b)/.test(code) ? ["default"] : []),
  ];
  const isModule = /(?<![.\w$])(?:import|export)\b(?!\s*\()/.test(code);
  const commonJs = isModule
    ? []
    : [...matches(COMMONJS), ...(COMMONJS_OBJECT.exec(code)?.[1] ?? "").split(",").flatMap(keyIn)];
  const names = [...own, ...commonJs, ...inner.flatMap((each) => each.names.filter((name) => name !== "default"))];
  return {
    names: [...new Set(names)],
    types: [
      ...matches(TYPES),
      ...(/\bexport\s+default\s+interface\b/.test(code) ? ["default"] : []),
      ...inner.flatMap((each) => each.types.filter((name) => name !== "default")),
    ],
    declared: [...matches(DECLARED), ...inner.flatMap((each) => each.declared)],
    isCommonJs: !isModule,
  };
}

/** `a, b as c, type D` → `a`, `c`. */
function namesInList(list: string): string[] {
  return list.split(",").flatMap((part) => {
    const name = /([\w$]+)\s*$/.exec(part)?.[1];
    return name === undefined || /^\s*type\s/.test(part) ? [] : [name];
  });
}

function keyIn(member: string): string[] {
  const key = /^\s*([\w$]+)\s*(?::|$)/.exec(member)?.[1];
  return key === undefined ? [] : [key];
}
