import type { Problem } from "../../core/problem.ts";
import { BUN_NOT_INSTALLED } from "./source-problem.ts";

/** The problem of a file whose import exceeds the time limit. */
export function tooSlow(file: string, ms: number): Problem {
  const message = `Importing it did not end within ${ms / 1000} s. Move long work from the top of the file into execute().`;
  return { file, code: "import_timeout", message };
}

/** The problem of a file, or an MCP server, that is still being imported. */
export function stillImporting({ file, server }: { file: string; server?: unknown }): Problem {
  const message = server
    ? "The MCP server has not answered yet. Its tools are missing until it has."
    : "It is still being imported, and its tools are missing until that has ended. Move long work from the top of the file into execute().";
  return { file, code: "import_timeout", message };
}

/** The problem of a file that ends its process when it is imported. */
export function fatalImport(file: string, reason: string): Problem {
  const message = `Importing it ended the process: ${reason}. Take what does this out of the top of the file.`;
  return { file, code: "import_failed", message };
}

/** The problem of a file that cannot be imported because no host process starts. */
export function noHost(file: string, reason: string): Problem {
  const message = `The process that runs tools does not start: ${reason}. Run "toolwright doctor".`;
  return { file, code: "import_failed", message };
}

/** The problem of a file that needs Bun when Bun is not installed. */
export function noBun(file: string): Problem {
  return { file, code: "needs_bun", message: BUN_NOT_INSTALLED };
}
