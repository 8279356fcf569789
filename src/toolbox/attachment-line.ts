import { join } from "node:path";
import type { Content } from "../core/result.ts";
import type { Toolbox } from "./toolbox.ts";

/** A picture or a file of a result. */
type Attachment = Exclude<Content, { type: "text" }>;

/** One line that names an attachment and where it is stored, for a surface that can carry only text. */
export async function attachmentLine(
  toolbox: Pick<Toolbox, "project">,
  part: Attachment,
  call: { readonly sessionID: string; readonly callID: string },
): Promise<string> {
  const { storedAttachment } = await import("../host/output/stored-attachment.ts");
  return storedAttachment(part, join(toolbox.project.homes.toolwrightHome, "outputs"), call);
}
