import { existsSync } from "node:fs";
import type { SessionStore } from "../../core/session-store.ts";
import { openSessionStore, sessionsFile } from "../../toolbox/open-session-store.ts";
import type { Invocation } from "./args/command.ts";
import { inspectFor } from "./inspect-for.ts";
import { printWarnings } from "./print-warnings.ts";

/**
 * Opens the session database for the global options, and closes it after `work`. Undefined if there is none: it is not created.
 * No tool is loaded.
 */
export async function withSessionStore<T>(
  invocation: Invocation,
  work: (store: SessionStore | undefined) => Promise<T>,
): Promise<T> {
  const { homes, settings, discovered, warnings } = inspectFor(invocation);
  printWarnings(warnings, invocation);
  const { toolwrightHome } = homes;
  if (!existsSync(sessionsFile(toolwrightHome))) return work(undefined);
  const store = await openSessionStore("disk", { toolwrightHome, root: discovered.project.root, settings });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
