import { createContext, type Moment } from "./call-context.ts";
import type { Registrations } from "./registrations.ts";
import type { Scope } from "./scope.ts";
import type { PiEvent } from "./session-events.ts";

/** Tells the handlers of an event, one after another. One that throws is logged. */
export async function tell(
  event: PiEvent,
  moment: Moment,
  { registrations, scope }: { registrations: Registrations; scope: Scope },
): Promise<void> {
  for (const handler of registrations.handlers(event.type)) {
    try {
      await scope.inDirectory(moment.directory, () => handler(event, createContext(scope, moment)));
    } catch (error) {
      scope.failed(`its handler of "${event.type}"`, error);
    }
  }
}
