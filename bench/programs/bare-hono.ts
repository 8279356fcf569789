/** Serves its stdin as JSON at one path, with Hono only. Prints its port. */
import { text } from "node:stream/consumers";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const payload = await text(process.stdin);
const app = new Hono().get("/api/tools", (c) => c.body(payload, 200, { "content-type": "application/json" }));
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => process.stdout.write(`${port}\n`));
