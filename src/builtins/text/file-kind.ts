import { type Encoding, encodingOf } from "../../platform/text/encoding.ts";

/** The kind of a file by its content, never by its name. */
export type FileKind =
  | { readonly kind: "text"; readonly encoding: Encoding }
  | { readonly kind: "image"; readonly mimeType: string }
  | { readonly kind: "pdf" }
  | { readonly kind: "binary"; readonly mimeType?: string };

/** Image types that models accept. */
const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** `cut`: the file continues after these bytes. */
export async function fileKind(head: Buffer, { cut }: { cut: boolean }): Promise<FileKind> {
  const encoding = encodingOf(head, { cut });
  const isPdf = head.toString("latin1", 0, 5) === "%PDF-";
  // Most files are plain text, and need no check of file signatures.
  if (encoding && encoding.name !== "windows-1252" && !isPdf) return { kind: "text", encoding };
  const mimeType = isPdf ? "application/pdf" : await signatureOf(head);
  if (mimeType === "application/pdf") return { kind: "pdf" };
  if (mimeType !== undefined && IMAGES.has(mimeType)) return { kind: "image", mimeType };
  if (mimeType !== undefined) return { kind: "binary", mimeType };
  return encoding ? { kind: "text", encoding } : { kind: "binary" };
}

async function signatureOf(head: Buffer): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import("file-type");
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  return found?.mime;
}
