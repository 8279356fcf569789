import { dirname, isAbsolute, resolve } from "node:path";
import { packageNameOf } from "../../platform/text/package-name.ts";
import { SourceProblem, UNRESOLVED, type UnresolvedImport } from "../protocol/source-problem.ts";
import { isDecidedByPaths, type Resolved } from "./resolve-import.ts";

/**
 * Converts the errors of Bun's loader to those of Node, so that both get the same explanation. `imports` are those of the
 * file. Errors that the file itself threw are not changed.
 */
export function asUnderNode(thrown: unknown, imports: ReadonlyMap<string, Resolved> = new Map()): unknown {
  const first = thrown instanceof AggregateError && isOf(thrown.errors[0], "BuildMessage") ? thrown.errors[0] : thrown;
  if (isOf(first, "BuildMessage")) return syntaxProblem(first as BuildMessage);
  if (isOf(thrown, "ResolveMessage")) return missing(thrown as ResolveMessage);
  return thrown instanceof SyntaxError ? (missingExport(thrown, imports) ?? thrown) : thrown;
}

interface BuildMessage {
  readonly message: string;
  readonly position: { readonly file: string; readonly line: number; readonly column: number } | null;
}

interface ResolveMessage {
  readonly specifier: string;
  readonly referrer: string;
}

function isOf(thrown: unknown, name: string): boolean {
  return typeof thrown === "object" && thrown !== null && "name" in thrown && thrown.name === name;
}

function syntaxProblem({ message, position }: BuildMessage): Error {
  if (!position) return new Error(message);
  const { file, line, column } = position;
  return new SourceProblem(file, { line, column }, message);
}

function missing({ specifier, referrer }: ResolveMessage): Error {
  const error = notFound(specifier, referrer);
  const decidedByPaths = isDecidedByPaths(specifier, referrer);
  const value: UnresolvedImport = { specifier, parent: referrer, decidedByPaths };
  return Object.defineProperty(error, UNRESOLVED, { value });
}

function notFound(specifier: string, referrer: string): Error {
  if (specifier.startsWith(".") || isAbsolute(specifier)) {
    return new Error(`Cannot find module '${resolve(dirname(referrer), specifier)}' imported from ${referrer}`);
  }
  const name = packageNameOf(specifier);
  return new Error(`Cannot find package '${name}' imported from ${referrer}`);
}

/** Bun names a module by its path or its specifier; Node by its specifier. */
const NO_EXPORT =
  /^(?:Export named|Missing) '(?<named>.+)' (?:not found|export) in module '(?<path>.+)'\.$|^export '(?<name>.+)' not found in '(?<module>.+)'$/;
const AMBIGUOUS =
  /^Export named '(?<named>.+)' cannot be resolved due to ambiguous multiple bindings in module '(?<path>.+)'\.$/;

function missingExport({ message }: SyntaxError, imports: ReadonlyMap<string, Resolved>): SyntaxError | undefined {
  const ambiguous = AMBIGUOUS.exec(message);
  const { named, path, name, module } = (ambiguous ?? NO_EXPORT.exec(message))?.groups ?? {};
  if (named === undefined && name === undefined) return undefined;
  const specifier = module ?? [...imports].find(([, found]) => found.path === path)?.[0] ?? path;
  const reason = ambiguous ? "contains conflicting star exports for name" : "does not provide an export named";
  return new SyntaxError(`The requested module '${specifier}' ${reason} '${named ?? name}'`);
}
