import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { isInside } from "../platform/files/inside.ts";
import { realPath } from "../platform/files/real-path.ts";
import { tryOrUndefined } from "../platform/values/try-or-undefined.ts";

type SessionDirectory =
  | { readonly kind: "directory"; readonly directory: string }
  /** Why it is refused, as the end of a sentence about the directory. */
  | { readonly kind: "refused"; readonly reason: string };

/**
 * The directory for a session that a client has chosen, without links. It must be in the project: a session may read and run
 * what is there.
 */
export function sessionDirectory(path: string, root: string): SessionDirectory {
  if (path.includes("\0")) return refused("must not contain a NUL character");
  if (!isAbsolute(path)) return refused(`must be an absolute path, such as ${JSON.stringify(root)}`);
  const real = realPath(path);
  // The same answer for everything outside of the project: a client must not learn which files exist there.
  if (real === undefined || !isInside(realPath(root) ?? root, real)) {
    return refused(`must be a directory of the served project: ${JSON.stringify(root)}, or one in it`);
  }
  const isDirectory = tryOrUndefined(() => statSync(real).isDirectory()) ?? false;
  return isDirectory ? { kind: "directory", directory: real } : refused("must be a directory, and this is a file");
}

function refused(reason: string): SessionDirectory {
  return { kind: "refused", reason };
}
