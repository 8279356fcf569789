import { basename } from "node:path";
import { type Tool, type ToolContext, ToolError } from "../../index.ts";
import { readAtMost } from "../../platform/files/read-bytes.ts";
import type { FileKind } from "./file-kind.ts";
import type { OpenFileView } from "./file-view.ts";

/** Returns an image or a PDF as an attachment. Throws for other binary files, and for files that are too large. */
export async function viewAttachment(
  view: OpenFileView,
  kind: Exclude<FileKind, { kind: "text" }>,
  context: ToolContext,
): Promise<Tool.Result> {
  if (kind.kind === "binary") throw binary(view, kind.mimeType);
  const isImage = kind.kind === "image";
  const mimeType = isImage ? kind.mimeType : "application/pdf";
  const limit = isImage ? "imageBytes" : "pdfBytes";
  const maxBytes = view.limits[limit];
  const { handle, stats, real } = view.file;
  const bytes = stats.size > maxBytes ? undefined : await readAtMost(handle, maxBytes, context.abort);
  if (!bytes) throw tooLarge(view, isImage ? `an image (${mimeType})` : "a PDF", maxBytes, limit);
  const data = bytes.toString("base64");
  const attachment = isImage
    ? { type: "image", data, mimeType }
    : { type: "file", mimeType, name: basename(real), data };
  return {
    title: view.title,
    metadata: { mimeType, bytes: bytes.length },
    output: `(${isImage ? `image, ${mimeType}` : "PDF"}, ${bytes.length} bytes: attached)`,
    attachments: [attachment],
  };
}

function binary({ displayName, file }: OpenFileView, mimeType: string | undefined): ToolError {
  const type = mimeType === undefined ? "" : ` (${mimeType})`;
  const next = mimeType?.startsWith("image/")
    ? "Convert it to PNG with bash and read that."
    : "Look at it with a program made for it, through bash.";
  return new ToolError(
    "failed",
    `"${displayName}" is a binary file${type} of ${file.stats.size} bytes, which cannot be shown as text. ${next}`,
  );
}

function tooLarge({ displayName, file }: OpenFileView, what: string, maxBytes: number, limit: string): ToolError {
  return new ToolError(
    "failed",
    `"${displayName}" is ${what} of ${file.stats.size} bytes, more than the ${maxBytes} that can be attached. Make a smaller copy with bash and read that, or ask the user to raise the limit "${limit}" of this tool.`,
  );
}
