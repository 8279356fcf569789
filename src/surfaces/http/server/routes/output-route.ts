import { basename } from "node:path";
import { pipeline } from "node:stream/promises";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { openStoredOutput } from "../../../../toolbox/stored-output.ts";
import { SECURITY_HEADERS } from "../../parts/json-response.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";

/** Sends the full output of a truncated call, as a download: its text is chosen by the tool. */
export function getOutput({ toolbox, fail }: RouteContext): RouteHandler {
  return async ({ req, env: { incoming, outgoing } }) => {
    const file = req.query("file") ?? "";
    const opened = await openStoredOutput(toolbox.project.homes.toolwrightHome, file);
    if (!opened) return fail({ code: "not_found", message: GONE });
    const { handle, real, stats } = opened;
    const name = basename(real).replace(/[^\w.-]/g, "_");
    const headers = {
      ...SECURITY_HEADERS,
      "content-security-policy": "sandbox",
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": `attachment; filename="${name}"`,
      "content-length": String(stats.size),
    };
    if (incoming.method === "HEAD") {
      await handle.close();
      return new Response(null, { headers });
    }
    outgoing.writeHead(200, headers);
    // The file may grow: no more is sent than was announced. If the client disconnects, there is nothing left to do.
    const end = Number(stats.size) - 1;
    if (end < 0) await handle.close().then(() => outgoing.end());
    else await pipeline(handle.createReadStream({ start: 0, end }), outgoing).catch(() => outgoing.destroy());
    return RESPONSE_ALREADY_SENT;
  };
}

const GONE =
  "There is no such output. Outputs are deleted after some days (the setting outputs.keepDays). Run the tool again.";
