import type { ClientCapabilities, InputRequest, InputResponse } from "@modelcontextprotocol/server";

/** The capability that a client needs to answer a question that `ClientRequest.ask` sends it. */
export function requiredCapabilities({ method }: InputRequest): ClientCapabilities {
  if (method === "elicitation/create") return { elicitation: {} };
  return method === "roots/list" ? { roots: {} } : { sampling: {} };
}

export function canAnswer(capabilities: ClientCapabilities, request: InputRequest): boolean {
  const { elicitation, sampling, roots } = capabilities;
  if (request.method === "roots/list") return roots !== undefined;
  if (request.method === "sampling/createMessage") return sampling !== undefined;
  if (elicitation === undefined) return false;
  return request.params.mode === "url" ? elicitation.url !== undefined : canShowForms(capabilities);
}

/** Clients older than 2025-11-25 declare neither `form` nor `url`: they show forms. */
export function canShowForms({ elicitation }: ClientCapabilities): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Whether a value has the shape of a response to this request. The content of a form is not checked. */
export function isResponseTo({ method }: InputRequest, response: unknown): response is InputResponse {
  if (typeof response !== "object" || response === null) return false;
  if (method === "roots/list") return "roots" in response && Array.isArray(response.roots);
  if (method === "sampling/createMessage") return "role" in response && "content" in response;
  return "action" in response && ["accept", "decline", "cancel"].includes(String(response.action));
}
