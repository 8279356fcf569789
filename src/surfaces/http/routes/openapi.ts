import { json } from "../json-response.ts";
import { openapiDocument } from "../openapi-document.ts";
import type { Routes } from "./routes.ts";

/** The description of the REST API. */
export const openapiRoutes: Routes = (app) => {
  app.get("/openapi.json", () => json(openapiDocument()));
};
