import type { ApiProblems } from "../../../core/api.ts";
import { json } from "../json-response.ts";
import type { Routes } from "./routes.ts";

/** What keeps tools from being served. */
export const problemRoutes: Routes = (app, { toolbox }) => {
  app.get("/api/problems", async () => {
    await toolbox.ready();
    const answer: ApiProblems = {
      problems: toolbox.problems(),
      shadowed: toolbox.status.shadowed,
      blocked: toolbox.status.blocked,
      warnings: toolbox.status.warnings,
    };
    return json(answer);
  });
};
