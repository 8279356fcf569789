import type { Access } from "../../../core/tool.ts";
import { allAccess, pathAccess } from "../access-path.ts";
import { leavesFolder, namedPaths, runsElsewhere } from "../declared-paths.ts";
import type { OpencodePermission } from "./opencode-sdk.ts";

/** What a call of a tool of OpenCode's own touches, as far as its permission request and its input say so. */
export function opencodeAccess(
  { permission, metadata }: Pick<OpencodePermission, "permission" | "metadata">,
  input: unknown,
  directory: string,
): readonly Access[] {
  const sources = [input, metadata];
  const texts = (name: string): string[] => sources.flatMap((source) => textIn(source, name) ?? []);
  const paths = sources.flatMap((source) => namedPaths(source));
  switch (permission) {
    case "bash":
      // A rule for a command is meant for the directory of the session.
      if (sources.some((source) => runsElsewhere(source, directory))) return ["undeclared"];
      return targets("execute", texts("command"));
    case "edit":
      return isKnown(metadata?.files) ? pathAccess("write", paths, directory) : ["undeclared"];
    case "read":
      return pathAccess("read", paths, directory);
    case "glob":
      return texts("pattern").some(leavesFolder) ? ["undeclared"] : searched(paths, directory);
    case "grep":
    case "list":
      return searched(paths, directory);
    case "webfetch":
      return targets("network", texts("url"));
    default:
      return ["undeclared"];
  }
}

function targets(kind: "execute" | "network", texts: readonly string[]): readonly Access[] {
  return texts.length === 0 ? ["undeclared"] : allAccess(texts.map((target) => ({ kind, target })));
}

/** A search begins in the working directory. */
function searched(paths: readonly string[], directory: string): readonly Access[] {
  return pathAccess("read", paths.length === 0 ? ["."] : paths, directory);
}

/** A patch may change several files. Each names its path, and a moved file has two. */
function isKnown(files: unknown): boolean {
  return !Array.isArray(files) || files.every((file) => textIn(file, "filePath") !== undefined);
}

function textIn(value: unknown, name: string): string | undefined {
  const text = (value as Record<string, unknown> | null | undefined)?.[name];
  return typeof text === "string" ? text : undefined;
}
