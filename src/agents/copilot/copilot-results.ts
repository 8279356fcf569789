import { isModelImage } from "../../core/model-image.ts";
import type { Content, ToolResult } from "../../core/result.ts";
import type { CopilotToolResult } from "./copilot-sdk.ts";

/** A result for the model. `storeFile` returns a line that says where a part is. */
export function toCopilotResult(
  result: ToolResult,
  storeFile: (part: Exclude<Content, { type: "text" }>) => string,
): CopilotToolResult {
  const { content } = result;
  const lines = content.flatMap((part) =>
    part.type === "text" ? [part.text] : isModelImage(part) ? [] : [storeFile(part)],
  );
  const output = lines.join("\n");
  const images = content.filter(isModelImage);
  const binaryResultsForLlm = images.map(({ data, mimeType }) => ({ data, mimeType, type: "image" as const }));
  const shared = images.length === 0 ? {} : { binaryResultsForLlm };
  // Half a character would end the connection to the runtime.
  if (result.ok) return { textResultForLlm: output.toWellFormed(), resultType: "success", ...shared };
  const message = result.error.message.toWellFormed();
  const text = output === "" || output === result.error.message ? message : `${message}\n${output.toWellFormed()}`;
  return { textResultForLlm: text, resultType: "failure", error: message, ...shared };
}
