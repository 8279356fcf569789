/** A program that runs a session until it is killed: `node session-owner.ts '{"file": …}'`. It prints a line when other processes can read what it streams. */
import { setTimeout as sleep } from "node:timers/promises";
import { openSqlite } from "../../src/sessions/store/sqlite-driver.ts";
import { openSqliteStore } from "../../src/sessions/store/sqlite-store.ts";

export interface OwnerOptions {
  readonly file: string;
  readonly project: string;
  /** A session that exists. */
  readonly session: string;
}

const { file, project, session } = JSON.parse(process.argv[2] ?? "") as OwnerOptions;
const store = await openSqliteStore({ file, project });
await store.claim(session, "turn");
await store.append(session, [
  { type: "message.user", messageID: "m1", content: [] },
  { type: "tool.start", callID: "c", tool: "t", messageID: "m1", agent: "a", input: {} },
]);
store.publish(session, { type: "message.delta", messageID: "m2", text: "so " });
store.publish(session, { type: "message.delta", messageID: "m2", text: "far" });
const database = openSqlite(file);
const live = database.prepare("SELECT 1 FROM live WHERE data LIKE '%far%'");
while (!live.get()) await sleep(20);
database.close();
console.log(JSON.stringify({ begun: true }));
process.stdin
  .on("end", () => store.publish(session, { type: "message.delta", messageID: "m2", text: ", more" }))
  .resume();
setInterval(() => {}, 1_000_000);
