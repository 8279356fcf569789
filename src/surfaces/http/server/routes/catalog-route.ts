import { catalogOf, catalogTools } from "../../../../toolbox/catalog-view.ts";
import { json } from "../../parts/json-response.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";
import { untilToolsChange } from "./until-tools-change.ts";

/** All tools with their places. They are cached until the tools change, since their files are read for it. */
export function getCatalog(context: RouteContext): RouteHandler {
  const { toolbox, command, commandOptions } = context;
  const tools = untilToolsChange(context, () => catalogTools(toolbox));
  return async () => {
    await toolbox.ready();
    return json(catalogOf(toolbox, { command, commandOptions }, tools()));
  };
}
