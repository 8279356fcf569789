import { messageOf } from "../../core/error.ts";
import type { SessionInfo } from "../../core/session-log.ts";
import { SessionError, type SessionStore } from "../../core/session-store.ts";
import { countText } from "../../platform/text/amount-text.ts";
import { defined } from "../../platform/values/defined.ts";
import { type Invocation, isSet, optionNumber, optionValue } from "./args/command.ts";
import { namedSession } from "./named-session.ts";
import { indented, printable, printJson } from "./output/print.ts";
import { askYesNo, canAsk } from "./prompt.ts";
import { printLines } from "./session-lines.ts";
import { withSessionStore } from "./with-session-store.ts";
import { withToolbox } from "./with-toolbox.ts";

/** `toolwright sessions branch`. */
export function branch(invocation: Invocation, [id = ""]: readonly string[]): Promise<number> {
  const at = optionNumber(invocation, "at", 1);
  const as = optionValue(invocation, "as");
  return withSessionStore(invocation, async (found) => {
    await namedSession(found, id);
    // Tool files are notified of the branch.
    const options = defined({ at, id: as });
    const made = await withToolbox(invocation, (toolbox) => toolbox.sessions.branch(id, options), { sessions: "disk" });
    const copied = countText(made.branchOf?.position ?? made.position, "event");
    if (invocation.globals.json) printJson(invocation.terminal, { session: made });
    else
      printLines(invocation, [`Created session ${printable(made.id)} with the first ${copied} of ${printable(id)}.`]);
    return 0;
  });
}

/** `toolwright sessions cancel`. Resolves when the request is stored: the process that runs the session stops it. */
export function cancel(invocation: Invocation, [id = ""]: readonly string[]): Promise<number> {
  return withSessionStore(invocation, async (found) => {
    const { status } = await namedSession(found, id);
    const runs = status === "running" || status === "waiting";
    if (runs) await found?.append(id, [{ type: "cancel.requested" }]);
    if (invocation.globals.json) printJson(invocation.terminal, { id, cancelled: runs });
    else if (runs) printLines(invocation, [`Asked the process that runs session ${printable(id)} to stop it.`]);
    else printLines(invocation, [`Nothing runs in session ${printable(id)}.`]);
    return 0;
  });
}

/** `toolwright sessions remove`. */
export function remove(invocation: Invocation, ids: readonly string[]): Promise<number> {
  const { terminal, globals } = invocation;
  return withSessionStore(invocation, async (found) => {
    const infos: SessionInfo[] = [];
    for (const id of new Set(ids)) infos.push(await namedSession(found, id));
    const store = found as SessionStore;
    if (!(await agreesToRemove(infos, invocation))) {
      terminal.stderr.write("Nothing was removed.\n");
      return 1;
    }
    const removed: string[] = [];
    const failed: { id: string; error: { code: string; message: string } }[] = [];
    for (const { id } of infos) {
      try {
        await store.remove(id);
        removed.push(id);
        if (!globals.json) printLines(invocation, [`Removed session ${printable(id)}.`]);
      } catch (error) {
        const message = messageOf(error);
        failed.push({ id, error: { code: SessionError.is(error) ? error.code : "failed", message } });
        if (!globals.json) terminal.stderr.write(`${indented(`toolwright: ${message}`, "").join("\n")}\n`);
      }
    }
    if (globals.json) printJson(terminal, { removed, failed });
    return failed.length === 0 ? 0 : 1;
  });
}

async function agreesToRemove(infos: readonly SessionInfo[], invocation: Invocation): Promise<boolean> {
  if (isSet(invocation, "yes") || !canAsk(invocation)) return true;
  const events = countText(
    infos.reduce((sum, { position }) => sum + position, 0),
    "event",
  );
  const names = infos.map(({ id }) => id).join(", ");
  const what = infos.length === 1 ? `session ${names} and its ${events}` : `the sessions ${names} and their ${events}`;
  return askYesNo(invocation.terminal, `Remove ${what}? This cannot be undone.`);
}
