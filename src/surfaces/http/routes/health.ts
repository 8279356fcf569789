import { json } from "../json-response.ts";
import type { Routes } from "./routes.ts";

/** Says that the server is there: no token is asked for. */
export const healthRoutes: Routes = (app) => {
  app.get("/healthz", () => json({ status: "ok" }));
};
