/** Serves one session to readers of server-sent events: `toolwright` with its server, `raw` on node:http. Started by the case `session-readers`. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { createToolbox } from "../../src/index.ts";
import { allRoutes } from "../../src/surfaces/http/server/routes/routes.ts";
import { serveHttp } from "../../src/surfaces/http/server/serve-http.ts";

const [what, directory = "", token = ""] = process.argv.slice(2);

interface Served {
  readonly port: number;
  readonly path: string;
  /** Stores one event, and sends it to all readers. */
  send(n: number): Promise<void>;
  close(): Promise<void>;
}

const served = what === "raw" ? await serveRaw() : await serveSession();
process.on("message", async (count: number) => {
  for (let n = 1; n <= count; n += 1) await served.send(n);
});
process.on("disconnect", () => void served.close());
process.send?.({ port: served.port, path: served.path });

async function serveSession(): Promise<Served> {
  const toolbox = await createToolbox({ cwd: directory, sessions: "disk", onlyGiven: true });
  const store = await toolbox.sessions.store();
  const { id } = await store.create({ directory });
  const limits = { connections: 5_000, readers: 5_000, readersPerSession: 5_000 };
  const server = await serveHttp({ toolbox, routes: allRoutes, token, limits });
  return {
    port: Number(new URL(server.origin).port),
    path: `/api/sessions/${id}/events`,
    send: async (n) => void (await store.append(id, [eventOf(n)])),
    async close() {
      await server.stop();
      await toolbox.close();
    },
  };
}

/** The same bytes to every response, after an insert with the same pragmas. */
async function serveRaw(): Promise<Served> {
  const database = new DatabaseSync(`${directory}/raw.db`);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE events (position INTEGER PRIMARY KEY, data TEXT NOT NULL)`);
  const insert = database.prepare("INSERT INTO events (data) VALUES (?)");
  const readers = new Set<ServerResponse>();
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.flushHeaders();
    readers.add(response);
    response.once("close", () => readers.delete(response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  let position = 0;
  return {
    port: (server.address() as AddressInfo).port,
    path: "/",
    async send(n) {
      const { type: _, ...message } = eventOf(n);
      const text = JSON.stringify({ role: "assistant", ...message, at: Date.now() });
      insert.run(text);
      position += 1;
      const bytes = Buffer.from(`id: ${position}\nevent: message\ndata: ${text}\n\n`);
      for (const response of readers) response.write(bytes);
    },
    async close() {
      server.close();
      server.closeAllConnections();
      database.close();
    },
  };
}

function eventOf(n: number): {
  type: "message.complete";
  messageID: string;
  content: { type: "text"; text: string }[];
} {
  const text = "a line of text ".repeat(30);
  return { type: "message.complete", messageID: `m${n}`, content: [{ type: "text", text }] };
}
