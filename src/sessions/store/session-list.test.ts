import { describe, expect, it, onTestFinished } from "vitest";
import { random } from "../../../test/support/random.ts";
import type { SessionInfo } from "../../core/session-log.ts";
import type { ListSessions, SessionStore } from "../../core/session-store.ts";
import { searchTextOf } from "./list-query.ts";
import { createMemoryStore } from "./memory-store.ts";

/** Letters with special rules: cases of other length, dotted and dotless i, half characters, wildcards of SQL, NUL. */
const LETTERS = [
  "a",
  "A",
  "b",
  "ß",
  "ẞ",
  "İ",
  "ı",
  "I",
  "i",
  "Σ",
  "ς",
  "é",
  "e\u0301",
  "😀",
  "\ud83d",
  "\ude00",
  "%",
  "_",
  "*",
  '"',
  "'",
  "\\",
  "\0",
  "\n",
  " ",
  "中",
];
const STATUSES = [undefined, "idle", "running", "error"] as const;

/** All sessions that match, by reading all. */
async function scanned(store: SessionStore, { search = "", status }: ListSessions): Promise<string[]> {
  const all: SessionInfo[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await store.list({ limit: 1_000, allProjects: true, ...(cursor === undefined ? {} : { cursor }) });
    all.push(...page.sessions);
    cursor = page.next;
    if (cursor === undefined) break;
  }
  return all
    .filter((info) => status === undefined || info.status === status)
    .filter((info) => searchTextOf(info).includes(search.toLowerCase()))
    .map(({ id }) => id);
}

async function listed(store: SessionStore, options: ListSessions): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await store.list({ ...options, ...(cursor === undefined ? {} : { cursor }) });
    ids.push(...page.sessions.map(({ id }) => id));
    cursor = page.next;
    if (cursor === undefined) return ids;
  }
}

describe("[S2] a search for sessions", () => {
  it("finds what reading all of them finds, in the same order, for any text, status and page size", async () => {
    const chance = random(11);
    const pick = <T>(values: readonly T[]): T => values[Math.floor(chance() * values.length)] as T;
    const text = (length: number): string => Array.from({ length }, () => pick(LETTERS)).join("");
    const store = createMemoryStore({ project: "/p" });
    onTestFinished(() => store.close());
    const titles: string[] = [];
    for (let n = 0; n < 400; n += 1) {
      const title = text(Math.floor(chance() * 12));
      titles.push(title);
      const { id } = await store.create({ id: `id-${n}`, directory: "/p", ...(chance() < 0.8 ? { title } : {}) });
      if (chance() < 0.3)
        await store.append(id, [{ type: "message.user", messageID: "m", content: [{ type: "text", text: text(5) }] }]);
      if (chance() < 0.3) await store.append(id, [{ type: "session.error", message: "no" }]);
      if (chance() < 0.3) await store.append(id, [{ type: "state.set", of: "session", key: "title", value: text(4) }]);
      if (chance() < 0.1) await store.branch(id, 1, { id: `branch-${n}` });
      if (chance() < 0.1) await store.remove(id);
    }
    for (let n = 0; n < 300; n += 1) {
      const from = pick(titles);
      const at = Math.floor(chance() * from.length);
      const part = from.slice(at, at + 1 + Math.floor(chance() * 4));
      const search = pick([part, part.toUpperCase(), part.toLowerCase(), text(1), text(2), "id-1", "branch", ""]);
      const status = pick(STATUSES);
      const options = { search, ...(status === undefined ? {} : { status }) };
      const expected = await scanned(store, options);
      const more = { limit: pick([1_000, 1_000, 7, 101]), allProjects: chance() < 0.5 };
      expect([search, status, await listed(store, { ...options, ...more })]).toEqual([search, status, expected]);
    }
  });

  it("does not take a title that looks like a status for one", async () => {
    const store = createMemoryStore({ project: "/p" });
    onTestFinished(() => store.close());
    await store.create({ id: "s", directory: "/p", title: '"status":"error"' });
    expect((await store.list({ status: "error" })).sessions).toEqual([]);
    expect((await store.list({ search: '"status":"error"' })).sessions).toHaveLength(1);
  });
});
