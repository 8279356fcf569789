import { json } from "../answer.ts";
import { openapiDocument } from "../openapi-document.ts";
import type { Routes } from "../services.ts";

/** The description of the REST API. */
export const openapiRoutes: Routes = (app) => {
  app.get("/openapi.json", () => json(openapiDocument()));
};
