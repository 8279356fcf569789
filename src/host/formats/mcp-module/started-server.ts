import type { Contributions } from "../contributions.ts";
import type { ExportContext } from "../export-context.ts";
import { readStartedServer } from "./exported-server.ts";
import type { ImportScope } from "./import-scope.ts";

/** How long a file may take to start its server after its import. Less if it also exports something that can be read. */
const START_MS = 5000;
const START_BESIDE_EXPORTS_MS = 1000;

/** Waits for the server of a file, and reads it. Undefined if there is none. Throws if the file has called `process.exit()`. */
export async function awaitServer(
  scope: ImportScope,
  hasExports: boolean,
  at: Omit<ExportContext, "why">,
): Promise<Contributions | undefined> {
  if (scope.mayStart) await scope.started(hasExports ? START_BESIDE_EXPORTS_MS : START_MS);
  scope.throwIfExited();
  scope.markRead();
  if (!scope.stdin.isRead) return undefined;
  return readStartedServer(scope, { ...at, why: "it starts an MCP server" });
}
