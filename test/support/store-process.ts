/** A process that uses the session store in a file: `node store-process.ts FILE ACTION SESSION …`. It prints one JSON value per line. */
import type { NewEvent } from "../../src/core/session-store.ts";
import { openSqliteStore } from "../../src/session-store/sqlite-store.ts";

const [, , file = "", action = "", sessionID = ""] = process.argv;
const store = await openSqliteStore({ file, project: "/p" });
const print = (value: unknown): void => console.log(JSON.stringify(value));

const ACTIONS: Readonly<Record<string, () => Promise<void>>> = {
  /** Prints each event of the session, and the time when it came. */
  follow: async () => {
    print("ready");
    for await (const event of store.follow(sessionID, 0, new AbortController().signal)) {
      print({ event, at: Date.now() });
    }
  },
  /** Claims the session, begins a turn and a call, streams a message, and then waits. */
  own: async () => {
    await store.claim(sessionID, "turn");
    await store.append(sessionID, [
      { type: "message.user", messageID: "m", content: [] },
      { type: "tool.start", callID: "c", tool: "t", messageID: "m", agent: "a", input: {} },
    ]);
    store.publish(sessionID, { type: "message.delta", messageID: "m2", text: "so far" });
    print("ready");
    for await (const event of store.follow(sessionID, 3, new AbortController().signal))
      print({ event, at: Date.now() });
  },
  /** Appends events as fast as it can, until it is ended. Prints the position after each append. */
  write: async () => {
    print("ready");
    for (;;) print(await store.append(sessionID, [{ type: "usage", model: String(process.pid) } as NewEvent]));
  },
};

await ACTIONS[action]?.();
