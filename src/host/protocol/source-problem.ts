import type { Position } from "../../platform/text/code-frame.ts";
import { withCauses } from "../../platform/text/thrown-text.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";

/** A file that cannot be parsed. Thrown by the module hooks of the loader, and reported as a `Problem`. */
export class SourceProblem extends Error {
  override readonly name: string = "SourceProblem";
  readonly file: string;
  /** Where the error is, if the parser says so. */
  readonly position: Position | undefined;

  constructor(file: string, position: Position | undefined, message: string) {
    super(message);
    this.file = file;
    this.position = position;
  }
}

/** A file that needs the Bun runtime, detected when it is imported. `cause` is the path of the file with the use of Bun. */
export class NeedsBun extends Error {
  override readonly name: string = "NeedsBun";
  /** The code of Node's error for a module that is not found: a package may catch it and work without Bun. */
  readonly code: string = "MODULE_NOT_FOUND";
}

/** A file that starts an MCP server has called `process.exit()` while it was read. The message is that of its problem. */
export class ExitWhileReading extends Error {
  override readonly name: string = "ExitWhileReading";

  /** `output`: its last lines on stderr, which usually give the reason. */
  constructor(code: unknown, output: string) {
    const reason = output === "" ? "" : ` Its last output:\n${output}`;
    super(`It called process.exit(${code ?? ""}) while it was read. Remove the reason, then reload.${reason}`);
  }
}

/** How code needs Bun, as a sentence, and the file with that code if it is known. */
export interface BunNeed {
  readonly reason: string;
  readonly file?: string;
}

/** Whether code failed because it does not run in Bun; undefined for any other error. Never throws. */
export function bunNeedOf(thrown: unknown): BunNeed | undefined {
  if ("Bun" in globalThis) return undefined;
  for (const each of withCauses(thrown)) {
    const need = tryOrUndefined(() => ownNeedOf(each));
    if (need) return need;
  }
  return undefined;
}

function ownNeedOf(thrown: unknown): BunNeed | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if (thrown instanceof NeedsBun) {
    return { reason: thrown.message, ...(typeof thrown.cause === "string" ? { file: thrown.cause } : {}) };
  }
  if (thrown instanceof ReferenceError && thrown.message === "Bun is not defined") return { reason: 'It uses "Bun".' };
  // The bundler of Bun compiles `import { $ } from "bun"` to `var { $ } = globalThis.Bun`.
  const isMissing = / of '(?:globalThis\.)?Bun' as it is undefined/.test(thrown.message);
  return isMissing ? { reason: 'It uses "globalThis.Bun".' } : undefined;
}

/** The second sentence of the problem if Bun is not installed. The first names the use of Bun. */
export const BUN_NOT_INSTALLED: string =
  'It needs the Bun runtime, which is not installed: install Bun (https://bun.sh) and make sure that "bun" is on PATH.';

/** An import that cannot be resolved. */
export interface UnresolvedImport {
  readonly specifier: string;
  /** The path of the file that imports it. */
  readonly parent: string;
  /** Whether it can become resolvable only by a change at a path that is recorded as a dependency. */
  readonly decidedByPaths: boolean;
}

/**
 * Marks the error of an import that cannot be resolved. Its value is an `UnresolvedImport`. The error is still that of the
 * runtime: authors catch it by its code.
 */
export const UNRESOLVED: unique symbol = Symbol("unresolved");
