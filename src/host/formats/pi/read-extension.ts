import type { Contributions } from "../contributions.ts";
import { callHooks } from "./extension-hooks.ts";
import type { PiRuntime } from "./pi-runtime.ts";
import type { Registrations } from "./registrations.ts";
import { toPiEvents } from "./session-events.ts";
import { createSessionManager } from "./session-manager.ts";
import { unsupportedFeatures } from "./unsupported-features.ts";

/** Pi emits this event after loading. Many extensions register their tools only then. */
export async function emitStartup(registrations: Registrations, runtime: PiRuntime): Promise<void> {
  const options = { session: { id: "" }, directory: runtime.host.cwd, loading: true };
  await registrations.emit({ type: "session_start", reason: "startup" }, options);
  await registrations.settled();
}

/** The registrations of an extension. Each getter returns the current state. */
export function readExtension(registrations: Registrations, runtime: PiRuntime): Contributions {
  return {
    get tools() {
      return registrations.tools;
    },
    get problems() {
      return registrations.problems;
    },
    get about() {
      return {
        format: "pi-extension" as const,
        why: WHY,
        unsupportedFeatures: unsupportedFeatures(runtime.source, registrations),
      };
    },
    get hooks() {
      return callHooks({ registrations, runtime });
    },
    get commands() {
      return registrations.commands;
    },
    onSession: async (event, session) => {
      const directory = runtime.host.cwd;
      const leafId = createSessionManager(() => session, directory).getLeafId();
      for (const each of toPiEvents(event, leafId)) await registrations.emit(each, { session, directory });
      await registrations.settled();
    },
  } as Contributions;
}

const WHY = "its default export is a function that registers tools or handlers, the shape of a pi extension";
