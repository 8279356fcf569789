import { join } from "node:path";
import type { NewEvent, SessionStore } from "../../../src/core/session-store.ts";
import { openSqliteStore } from "../../../src/sessions/store/sqlite-store.ts";
import type { ServedProject } from "./served-project.ts";

/** Changes the session database of a served project from another process than its server: from this one. */
export async function withStore<T>({ at }: ServedProject, use: (store: SessionStore) => Promise<T>): Promise<T> {
  const store = await openSqliteStore({ file: join(at.home, ".toolwright/sessions.db"), project: at.project });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** The words that the texts of `longLog` contain at these positions only. */
export const RARE_WORDS = ["aardvark", "basilisk", "chinchilla"] as const;

/** The events of a session: turns of a question, an answer in Markdown, and two calls with results. */
export function longLog(count: number): NewEvent[] {
  const events: NewEvent[] = [];
  const rareAt = [Math.floor(count * 0.02), Math.floor(count * 0.5), count - 12];
  const word = (): string => RARE_WORDS[rareAt.findIndex((at) => events.length >= at && events.length < at + 7)] ?? "";
  while (events.length < count - 1) {
    const n = events.length;
    const call = (tool: string, id: string, input: unknown, text: string): NewEvent[] => [
      { type: "tool.start", callID: id, tool, messageID: `a${n}`, agent: "demo", input },
      {
        type: "tool.complete",
        callID: id,
        tool,
        messageID: `a${n}`,
        agent: "demo",
        result: { ok: true, content: [{ type: "text", text }], notes: { durationMs: 12 } },
      },
    ];
    events.push(
      { type: "message.user", messageID: `u${n}`, content: [{ type: "text", text: `Question ${n} ${word()}` }] },
      {
        type: "message.complete",
        messageID: `a${n}`,
        content: [
          {
            type: "text",
            text: `## Part ${n}\n\nSome *text* with \`code\`:\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | ${n} |\n`,
          },
        ],
      },
      ...call("greet", `c${n}`, { name: `Person ${n}` }, `Hello, Person ${n}!`),
      ...call("read", `d${n}`, { filePath: `file-${n}.txt` }, `line of ${n}\n`.repeat(20)),
      { type: "session.idle", text: `Part ${n}` },
    );
  }
  return events.slice(0, count - 1);
}

/** Stores a session with that many events, including the event of its start. */
export async function storeLongSession(served: ServedProject, id: string, count: number): Promise<void> {
  await withStore(served, async (store) => {
    await store.create({ id, directory: served.at.project, agent: "demo", title: `Session with ${count} events` });
    const events = longLog(count);
    for (let from = 0; from < events.length; from += 500) await store.append(id, events.slice(from, from + 500));
  });
}
