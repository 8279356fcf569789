import type { Access } from "../../core/tool.ts";
import { pathAccess } from "../access-path.ts";
import type { OpencodePermission } from "./opencode-sdk.ts";

/** What a call of a tool of OpenCode's own touches, as far as its permission request and its input say so. */
export function accessOf(
  { permission, metadata }: Pick<OpencodePermission, "permission" | "metadata">,
  input: unknown,
  directory: string,
): readonly Access[] {
  const field = (name: string): string | undefined => textIn(input, name) ?? textIn(metadata, name);
  switch (permission) {
    case "bash": {
      const command = field("command");
      // A rule for a command is meant for the directory of the session.
      const isElsewhere = (field("workdir") ?? directory) !== directory;
      return command === undefined || isElsewhere ? ["undeclared"] : [{ kind: "execute", target: command }];
    }
    case "edit": {
      const files = editedFiles(input, metadata);
      return pathAccess("write", files, directory);
    }
    case "read": {
      const file = field("filePath");
      return file === undefined ? ["undeclared"] : pathAccess("read", [file], directory);
    }
    case "glob":
    case "grep":
    case "list":
      return pathAccess("read", [field("path") ?? "."], directory);
    case "webfetch": {
      const url = field("url");
      return url === undefined ? ["undeclared"] : [{ kind: "network", target: url }];
    }
    default:
      return ["undeclared"];
  }
}

/** A patch may change several files. A moved file has two paths. */
function editedFiles(input: unknown, metadata: OpencodePermission["metadata"]): string[] {
  const { files } = metadata;
  if (Array.isArray(files) && files.length > 0) {
    return files.flatMap((file) => ["filePath", "movePath"].flatMap((name) => textIn(file, name) ?? []));
  }
  const file = textIn(input, "filePath") ?? textIn(metadata, "filepath");
  return file === undefined ? [] : [file];
}

function textIn(value: unknown, name: string): string | undefined {
  const text = (value as Record<string, unknown> | null | undefined)?.[name];
  return typeof text === "string" ? text : undefined;
}
