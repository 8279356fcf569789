import type { Access } from "../../../core/tool.ts";
import { pathAccess } from "../access-path.ts";
import type { CopilotPermissionRequest } from "./copilot-sdk.ts";

/** What a call of a tool of Copilot's own touches, as far as the request says so. */
export function copilotAccess(request: CopilotPermissionRequest, directory: string): readonly Access[] {
  const { kind, fullCommandText, fileName, path, resolvedPath, url } = request;
  if (kind === "shell" && fullCommandText !== undefined) return [{ kind: "execute", target: fullCommandText }];
  if (kind === "url" && url !== undefined) return [{ kind: "network", target: url }];
  if (kind !== "read" && kind !== "write") return ["undeclared"];
  const files = [fileName, path, resolvedPath].filter((file) => file !== undefined);
  return pathAccess(kind, files, directory);
}
