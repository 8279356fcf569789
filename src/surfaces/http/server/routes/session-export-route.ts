import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type ExportFormat, exportSession } from "../../../../sessions/transcript/export-session.ts";
import { SECURITY_HEADERS } from "../../parts/json-response.ts";
import { waitForDrain } from "../../parts/wait-for-drain.ts";
import { readQuery } from "./read-request.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";
import { requireSession, sessionHandler } from "./session-handler.ts";

const FILES: Readonly<Record<ExportFormat, { readonly type: string; readonly ending: string }>> = {
  jsonl: { type: "application/x-ndjson; charset=utf-8", ending: "jsonl" },
  markdown: { type: "text/markdown; charset=utf-8", ending: "md" },
};

/** Sends a session as a file. */
export function exportSessionFile(context: RouteContext): RouteHandler {
  const { fail } = context;
  return sessionHandler(context, async ({ req, env: { outgoing } }, store) => {
    const read = readQuery(req.url, "GET /api/sessions/{id}/export");
    if (read.kind === "invalid") return fail(read.error);
    const info = await requireSession(store, req.param("id"));
    const { format = "jsonl" } = read.query;
    const { type, ending } = FILES[format];
    const headers = {
      ...SECURITY_HEADERS,
      "content-type": type,
      "content-disposition": `attachment; filename="${fileName(info.id)}.${ending}"`,
    };
    if (req.method === "HEAD") return new Response(null, { headers });
    outgoing.writeHead(200, headers);
    void sendParts(exportSession(store, info, format), outgoing);
    return RESPONSE_ALREADY_SENT;
  });
}

/** The characters of an id that are safe in a header and in the name of a file. */
function fileName(id: string): string {
  return `session-${id.replace(/[^\w.-]+/g, "_").slice(0, 100)}`;
}

/** A response that cannot be completed is cut off, so that the client notices it. */
async function sendParts(parts: AsyncIterable<string>, outgoing: ServerResponse): Promise<void> {
  try {
    for await (const part of parts) {
      if (outgoing.destroyed) return;
      if (!outgoing.write(part)) await waitForDrain(outgoing);
    }
    outgoing.end();
  } catch {
    outgoing.destroy();
  }
}
