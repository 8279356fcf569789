import type { ApiRendering, ApiRenderRequest } from "../../../core/api-page.ts";
import { isObject } from "../../../core/is-object.ts";
import type { Content } from "../../../core/result.ts";
import { json } from "../../../http/json-response.ts";
import type { DrawRequest } from "../../../toolbox/toolbox.ts";
import { type BodyRules, integerIn, shortTextProblem } from "./body-fields.ts";
import { readCheckedBody } from "./checked-body.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";

const RENDER: BodyRules<ApiRenderRequest> = {
  checks: {
    width: integerIn(10, 500),
    expanded: (value) => (typeof value === "boolean" ? undefined : "must be true or false"),
    callID: shortTextProblem,
    input: () => undefined,
    result: resultProblem,
  },
  required: ["width", "callID", "input"],
  example: '{ "width": 80, "callID": "ID", "input": { … } }',
};

/** Draws a call or its result as the author of the tool does in a terminal. */
export function renderCall({ toolbox, admission, limits, fail }: RouteContext): RouteHandler {
  return async ({ req, env: { incoming, outgoing } }) => {
    const refused = admission.admit(outgoing);
    if (refused) return fail(refused);
    const read = await readCheckedBody(incoming, limits, RENDER);
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

function resultProblem(value: unknown): string | undefined {
  const isContent = (each: unknown): boolean => isObject(each) && KINDS.has(each.type);
  return isObject(value) &&
    Array.isArray(value.content) &&
    value.content.every(isContent) &&
    typeof value.isError === "boolean" &&
    Object.keys(value).every((key) => key === "content" || key === "isError" || key === "data")
    ? undefined
    : 'must be the result of a call: { "content": […], "data"?, "isError": false }';
}

const KINDS: ReadonlySet<unknown> = new Set(["text", "image", "file"]);
