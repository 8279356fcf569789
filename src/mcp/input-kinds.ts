import type { ClientCapabilities, InputRequest, InputResponse } from "@modelcontextprotocol/server";

/** The capability that a client must have declared to be asked this. */
export function needed({ method }: InputRequest): ClientCapabilities {
  if (method === "elicitation/create") return { elicitation: {} };
  return method === "roots/list" ? { roots: {} } : { sampling: {} };
}

/** Whether a client has said that it can answer this. */
export function canAnswer(capabilities: ClientCapabilities, request: InputRequest): boolean {
  const { elicitation, sampling, roots } = capabilities;
  if (request.method === "roots/list") return roots !== undefined;
  if (request.method === "sampling/createMessage") return sampling !== undefined;
  if (elicitation === undefined) return false;
  // Clients from before there were two kinds say nothing of either, and mean forms.
  return request.params.mode === "url" ? elicitation.url !== undefined : canFillForms(capabilities);
}

/** Whether a client can put a form to its user. */
export function canFillForms({ elicitation }: ClientCapabilities): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Whether what came back is an answer to that at all. What a form was filled with is for the asker to check. */
export function fits({ method }: InputRequest, response: unknown): response is InputResponse {
  if (typeof response !== "object" || response === null) return false;
  if (method === "roots/list") return "roots" in response && Array.isArray(response.roots);
  if (method === "sampling/createMessage") return "role" in response && "content" in response;
  return "action" in response && ["accept", "decline", "cancel"].includes(String(response.action));
}
