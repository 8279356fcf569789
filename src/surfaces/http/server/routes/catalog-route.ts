import type { ApiCatalogTool } from "../../../../core/api-page.ts";
import { catalogOf, catalogTools } from "../../../../toolbox/catalog-view.ts";
import { json } from "../../parts/json-response.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";

/** All tools with their places. They are cached until the tools change, since their files are read for it. */
export function getCatalog({ toolbox, command, commandOptions, stopping }: RouteContext): RouteHandler {
  let tools: readonly ApiCatalogTool[] | undefined;
  const invalidate = (): void => {
    tools = undefined;
  };
  const stops = [toolbox.on("change", invalidate), toolbox.on("session", invalidate)];
  stopping.addEventListener("abort", () => {
    for (const stop of stops) stop();
  });
  return async () => {
    await toolbox.ready();
    tools ??= catalogTools(toolbox);
    return json(catalogOf(toolbox, { command, commandOptions }, tools));
  };
}
