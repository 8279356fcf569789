import type { FromFile } from "../module.ts";
import { callHooks } from "./extension-hooks.ts";
import type { Scope } from "./pi-runtime.ts";
import type { Registrations } from "./registrations.ts";
import { piEvents } from "./session-events.ts";
import { sessionView } from "./session-manager.ts";
import { withoutOf } from "./unsupported-features.ts";

/** Tells an extension that it was loaded, as pi does: many register their tools only then. */
export async function startUp(registrations: Registrations, scope: Scope): Promise<void> {
  const moment = { session: { id: "" }, directory: scope.host.cwd, loading: true };
  await registrations.emit({ type: "session_start", reason: "startup" }, moment);
  await registrations.settled();
}

/** What an extension has registered, now and whenever it is asked for. */
export function fromRegistrations(registrations: Registrations, scope: Scope): FromFile {
  return {
    get tools() {
      return registrations.tools;
    },
    get problems() {
      return registrations.problems;
    },
    get about() {
      return { format: "pi-extension" as const, why: WHY, unsupportedFeatures: withoutOf(scope.source, registrations) };
    },
    get hooks() {
      return callHooks({ registrations, scope });
    },
    onSession: async (event, session) => {
      const directory = scope.host.cwd;
      const leafId = sessionView(() => session, directory).getLeafId();
      for (const told of piEvents(event, leafId)) await registrations.emit(told, { session, directory });
      await registrations.settled();
    },
  } as FromFile;
}

const WHY = "its default export is a function that registers what it has, as extensions of pi do";
