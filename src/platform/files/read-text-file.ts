import { readFileSync, statSync } from "node:fs";
import { messageOf } from "../../core/error.ts";
import { isInside } from "./inside.ts";
import { resolveLinks } from "./real-path.ts";

/** The text of a file, or why it was not read. `reason` continues "It is not read:" and says what to do. */
type TextFile =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly reason: string };

interface ReadBounds {
  /** In bytes. */
  readonly largest: number;
  /** The real path of the root of an untrusted project: links that lead out of it are not followed. */
  readonly untrusted?: string | undefined;
}

/**
 * Reads a file of unknown origin, without its byte order mark. Opens no pipe, device or huge file, so that it cannot
 * block. Never throws.
 */
export function readTextFile(file: string, { largest, untrusted }: ReadBounds): TextFile {
  try {
    const real = untrusted === undefined ? file : resolveLinks(file);
    if (untrusted !== undefined && !isInside(untrusted, real)) return { kind: "refused", reason: leadsOut(real) };
    const stat = statSync(real, { throwIfNoEntry: false });
    if (stat === undefined) return { kind: "missing" };
    if (!stat.isFile()) return { kind: "refused", reason: "it is not a regular file. Replace it by one." };
    if (stat.size > largest) return { kind: "refused", reason: `it is larger than ${largest} bytes. Make it smaller.` };
    return { kind: "text", text: readFileSync(real, "utf8").replace(/^\uFEFF/, "") };
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOTDIR") return { kind: "missing" };
    return { kind: "refused", reason: `${messageOf(error)}. Check its permissions.` };
  }
}

function leadsOut(real: string): string {
  return `it leads out of the project, to ${real}, and the project is not trusted. If the link is yours, run: toolwright trust`;
}
