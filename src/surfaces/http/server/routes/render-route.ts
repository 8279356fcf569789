import type { ApiRendering, ApiRenderRequest } from "../../../../core/api-page.ts";
import type { Content } from "../../../../core/result.ts";
import type { DrawRequest } from "../../../../toolbox/toolbox.ts";
import { json } from "../../parts/json-response.ts";
import { readJsonBody } from "./read-request.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";

/** Draws a call or its result as the author of the tool does in a terminal. */
export function renderCall({ toolbox, admission, limits, fail }: RouteContext): RouteHandler {
  return async ({ req, env: { incoming, outgoing } }) => {
    const refused = admission.admit(outgoing);
    if (refused) return fail(refused);
    const read = await readJsonBody(incoming, limits, "POST /api/tools/{name}/render");
    if (read.kind === "invalid") return fail(read.error);
    const name = req.param("name") ?? "";
    const view = toView(read.body, name, toolbox.project.directory);
    return json({ lines: (await toolbox.render(view)) ?? null } satisfies ApiRendering);
  };
}

function toView({ result, ...call }: ApiRenderRequest, name: string, cwd: string): DrawRequest {
  const base = { ...call, name, cwd, color: true };
  if (!result) return { ...base, kind: "call" };
  // The kinds of content are checked, and the renderer of the author must expect any values.
  return { ...base, ...result, kind: "result", content: result.content as readonly Content[] };
}
