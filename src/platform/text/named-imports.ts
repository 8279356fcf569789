import { codeOnly, commentsIn } from "./code-only.ts";

/** A package or file that another file imports, for values or types. */
export interface NamedImport {
  readonly specifier: string;
  /** The names in the imported module. "*" is the whole module. */
  readonly names: readonly string[];
}

/**
 * The imports of a file as its author wrote them, types included. A module that a function loads when it runs is left out.
 * `jsDoc`: types in JSDoc comments count too, as in JavaScript files. Never throws.
 */
export function namedImports(source: string, { jsDoc = false }: { jsDoc?: boolean } = {}): NamedImport[] {
  const code = codeOnly(source);
  const found = (pattern: RegExp, counts = (_: number): boolean => true): NamedImport[] =>
    [...code.matchAll(pattern)].filter(({ index }) => counts(index)).map((match) => toImport(match, source));
  return [
    ...found(STATEMENT),
    ...found(TYPE, (index) => !isInBody(code, index)),
    ...found(REQUIRE, (index) => openBraces(code, index).length === 0),
    ...(jsDoc ? commentsIn(source).flatMap(inJsDoc) : []),
  ];
}

/** The specifiers that an export which a file only passes on may come from. */
export function originsOf(source: string, exportName: string): string[] {
  const code = codeOnly(source);
  const statements = [...code.matchAll(STATEMENT)].map((match) => ({
    ...toImport(match, source),
    isExport: match[0].startsWith("export"),
    names: namesIn(match.groups?.clause ?? ""),
  }));
  const local = exportedLocal(code, exportName);
  const origins = statements.filter(({ isExport, names }) =>
    names.some(
      ({ as }) => as === (isExport ? exportName : local) || (isExport && as === "*" && exportName !== "default"),
    ),
  );
  const passedOn =
    exportName === "default" ? [...code.matchAll(PASSED_ON)].map((match) => toImport(match, source)) : [];
  return [...origins, ...passedOn].map(({ specifier }) => specifier);
}

const TEXT = `(?<quoted>" *"|' *')`;
const CLAUSE = /(?:type\b\s*)?(?:[\w$]+\s*,?\s*)?(?:\*(?:\s*as\s+[\w$]+)?\s*|\{[^{}]*\}\s*)?/.source;
/** `import … from "x"`, `export … from "x"` and `import "x"`. */
const STATEMENT = new RegExp(`(?<![.\\w$])(?:(?:import|export)\\b\\s*(?<clause>${CLAUSE})from|import)\\s*${TEXT}`, "g");
/** `import("x").Name`: a type, since a promise has no such member. */
const TYPE = new RegExp(`(?<![.\\w$])import\\s*\\(\\s*${TEXT}\\s*\\)\\s*\\.\\s*(?<name>[A-Z][\\w$]*)`, "g");
const REQUIRE = new RegExp(`(?<![.\\w$])require\\s*\\(\\s*${TEXT}\\s*\\)`, "g");
const PASSED_ON = new RegExp(`\\bmodule\\.exports\\s*=\\s*require\\s*\\(\\s*${TEXT}\\s*\\)`, "g");

function toImport(match: RegExpExecArray, source: string): NamedImport {
  const { quoted = "", clause, name } = match.groups ?? {};
  const start = match.index + match[0].lastIndexOf(quoted) + 1;
  const names = name !== undefined ? [name] : clause === undefined ? ["*"] : namesIn(clause).map((each) => each.name);
  return { specifier: source.slice(start, start + quoted.length - 2), names };
}

/** The names in the clause of an import or export, in the other module and in this one. */
function namesIn(clause: string): { name: string; as: string }[] {
  const [, whole, alias] = /(\*)(?:\s*as\s+([\w$]+))?/.exec(clause) ?? [];
  const first = /^\s*(?:type\s+(?!from\b))?([\w$]+)\s*(?:,|$)/.exec(clause)?.[1];
  const listed = (/\{([^{}]*)\}/.exec(clause)?.[1] ?? "").split(",").flatMap((written) => {
    const [, name, as = name] = /^\s*(?:type\s+(?!as\b))?([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(written) ?? [];
    return name === undefined || as === undefined ? [] : [{ name, as }];
  });
  return [
    ...(first === undefined || first === "type" ? [] : [{ name: "default", as: first }]),
    ...(whole === undefined ? [] : [{ name: "*", as: alias ?? "*" }]),
    ...listed,
  ];
}

/** The variable that a file exports under a name: `export default x`, `export { x as default }`. */
function exportedLocal(code: string, exportName: string): string | undefined {
  const direct =
    exportName === "default" ? /(?<![.\w$])export\s+default\s+([\w$]+)\s*(?:;|\n|$)/.exec(code)?.[1] : undefined;
  if (direct !== undefined) return direct;
  const lists = [...code.matchAll(/(?<![.\w$])export\s*(\{[^{}]*\})(?!\s*from\b)/g)];
  return lists.flatMap(([, list = ""]) => namesIn(list)).find(({ as }) => as === exportName)?.name;
}

/** Where the braces around a place begin. */
function openBraces(code: string, at: number): number[] {
  const open: number[] = [];
  for (const { 0: brace, index } of code.slice(0, at).matchAll(/[{}]/g)) {
    if (brace === "{") open.push(index);
    else open.pop();
  }
  return open;
}

/** Whether a place is in the body of a function, as opposed to the members of a type. */
function isInBody(code: string, at: number): boolean {
  return openBraces(code, at).some((brace) =>
    /(?:=>|\)(?:\s*:[^{};]*)?)\s*$/.test(code.slice(Math.max(0, brace - 300), brace)),
  );
}

/** `@type {import("x").Name}` and `@import { Name } from "x"`. */
function inJsDoc(comment: string): NamedImport[] {
  if (!comment.startsWith("/**")) return [];
  const types =
    /@(?:type|satisfies|typedef|param|returns?)\s*\{[^@]*?\bimport\(\s*["']([^"']+)["']\s*\)(?:\.([\w$]+))?/g;
  const tags = /@import\s+([^"'@]*?)\bfrom\s*["']([^"']+)["']/g;
  return [
    ...[...comment.matchAll(types)].map(([, specifier = "", name = "*"]) => ({ specifier, names: [name] })),
    ...[...comment.matchAll(tags)].map(([, clause = "", specifier = ""]) => ({
      specifier,
      names: namesIn(clause).map(({ name }) => name),
    })),
  ];
}
