import type { SessionInfo } from "../../core/session-log.ts";
import type { SessionStore } from "../../core/session-store.ts";
import { nearest, suggestion } from "../../platform/text/nearest.ts";
import { shellWord } from "../../platform/text/shell-word.ts";
import { UsageError } from "./args/usage-error.ts";

/** A session of this project. Throws a `UsageError` that names similar ones. */
export async function namedSession(store: SessionStore | undefined, id: string): Promise<SessionInfo> {
  const info = await store?.get(id);
  if (info) return info;
  const hint = store ? await hintFor(store, id) : NONE;
  throw new UsageError(`There is no session ${JSON.stringify(id)} in this project. ${hint}`, "session_not_found");
}

const NONE = "No session is stored yet: toolwright run NAME --session ID begins one.";
/** The maximum size of a page. */
const MANY = 1_000;

async function hintFor(store: SessionStore, id: string): Promise<string> {
  const elsewhere = await store.list({ allProjects: true, search: id, limit: MANY });
  const same = elsewhere.sessions.find((session) => session.id === id);
  if (same) return `There is one in ${same.project}. Add: --cwd ${shellWord(same.project)}`;
  const { sessions } = await store.list({ limit: MANY });
  const ids = sessions.map((session) => session.id);
  return suggestion(nearest(id, ids)) || "To list the sessions: toolwright sessions";
}
