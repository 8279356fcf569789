import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import type { TestServer } from "./http-server.ts";

/** Validates a response against the OpenAPI document. */
export async function answersOf(
  server: TestServer,
): Promise<(path: string, method: string, answer: Response) => Promise<void>> {
  const document = (await (await server.ask("/openapi.json")).json()) as Record<string, unknown>;
  const ajv = new Ajv2020({ strict: false }).addSchema(document, "openapi");
  const part = (path: string): string => path.replaceAll("~", "~0").replaceAll("/", "~1");
  return async (path, method, answer) => {
    const known = document.paths as Record<string, Record<string, { responses: Record<string, unknown> }>>;
    const { responses = {} } = known[path]?.[method] ?? {};
    const status = String(answer.status) in responses ? String(answer.status) : "default";
    const pointer = ["paths", path, method, "responses", status, "content", "application/json", "schema"];
    const validate = ajv.compile({ $ref: `openapi#/${pointer.map(part).map(encodeURIComponent).join("/")}` });
    validate(await answer.json());
    expect([path, answer.status, validate.errors ?? []]).toEqual([path, answer.status, []]);
  };
}
