import type { Contributions } from "../contributions.ts";
import { callHooks } from "./extension-hooks.ts";
import type { PiRuntime } from "./pi-runtime.ts";
import type { Registrations } from "./registrations.ts";
import { toPiEvents } from "./session-events.ts";
import { createSessionManager } from "./session-manager.ts";
import { unsupportedFeatures } from "./unsupported-features.ts";

/** Tells an extension that it was loaded, as pi does: many register their tools only then. */
export async function emitStartup(registrations: Registrations, runtime: PiRuntime): Promise<void> {
  const options = { session: { id: "" }, directory: runtime.host.cwd, loading: true };
  await registrations.emit({ type: "session_start", reason: "startup" }, options);
  await registrations.settled();
}

/** What an extension has registered, now and whenever it is asked for. */
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
    onSession: async (event, session) => {
      const directory = runtime.host.cwd;
      const leafId = createSessionManager(() => session, directory).getLeafId();
      for (const told of toPiEvents(event, leafId)) await registrations.emit(told, { session, directory });
      await registrations.settled();
    },
  } as Contributions;
}

const WHY = "its default export is a function that registers what it has, as extensions of pi do";
