import type { Problem } from "../core/problem.ts";
import { BUN_NOT_INSTALLED } from "../core/source-problem.ts";

/** The problem of a file whose import does not end, whoever noticed it. */
export function tooSlow(file: string, ms: number): Problem {
  const message = `Importing it did not end within ${ms / 1000} s. Move long work from the top of the file into execute().`;
  return { file, code: "import_timeout", message };
}

/** What is said of a file, or a server, until its import has ended. */
export function stillImporting({ file, server }: { file: string; server?: unknown }): Problem {
  const message = server
    ? "The MCP server has not answered yet. Its tools are missing until it has."
    : "It is still being imported, and its tools are missing until that has ended. Move long work from the top of the file into execute().";
  return { file, code: "import_timeout", message };
}

/** The problem of a file that takes its process down when it is imported. */
export function fatalImport(file: string, reason: string): Problem {
  const message = `Importing it ended the process: ${reason}. Take what does this out of the top of the file.`;
  return { file, code: "import_failed", message };
}

/** No file is to blame: the process that would import it does not even start. */
export function noHost(file: string, reason: string): Problem {
  const message = `The process that runs tools does not start: ${reason}. Run "toolwright doctor".`;
  return { file, code: "import_failed", message };
}

/** The problem of a file that needs Bun where there is none. */
export function noBun(file: string): Problem {
  return { file, code: "needs_bun", message: BUN_NOT_INSTALLED };
}
