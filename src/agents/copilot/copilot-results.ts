import type { Content, ImageContent, ToolResult } from "../../core/result.ts";
import type { CopilotToolResult } from "./copilot-sdk.ts";

/** The types that the APIs of models accept. Another one fails every later request of the session. */
const IMAGE_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/webp", "image/gif"];

/** A result for the model. `storeFile` returns a line that says where a part is. */
export function toCopilotResult(
  result: ToolResult,
  storeFile: (part: Exclude<Content, { type: "text" }>) => string,
): CopilotToolResult {
  const { content } = result;
  const lines = content.flatMap((part) =>
    part.type === "text" ? [part.text] : isImage(part) ? [] : [storeFile(part)],
  );
  const output = lines.join("\n");
  const images = content.filter(isImage);
  const binaryResultsForLlm = images.map(({ data, mimeType }) => ({ data, mimeType, type: "image" as const }));
  const shared = images.length === 0 ? {} : { binaryResultsForLlm };
  // Half a character would end the connection to the runtime.
  if (result.ok) return { textResultForLlm: output.toWellFormed(), resultType: "success", ...shared };
  const message = result.error.message.toWellFormed();
  const text = output === "" || output === result.error.message ? message : `${message}\n${output.toWellFormed()}`;
  return { textResultForLlm: text, resultType: "failure", error: message, ...shared };
}

/** Whether a model can be sent this part as an image. */
export function isImage(part: Content): part is ImageContent {
  if (part.type !== "image" || !IMAGE_TYPES.includes(part.mimeType)) return false;
  return part.data !== "" && part.data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(part.data);
}
