import type { IncomingMessage } from "node:http";
import type { Refusal } from "../refusal.ts";

/** Looks at the head of a request, before anything of its body is read: why it is refused, or nothing. */
export type Guard = (request: IncomingMessage) => Refusal | undefined;

/** Asks one guard after another; the first that refuses decides. */
export function allGuards(guards: readonly Guard[]): Guard {
  return (request) => {
    for (const guard of guards) {
      const refusal = guard(request);
      if (refusal) return refusal;
    }
    return undefined;
  };
}
