import type { Access, DeclaredAccess } from "../../../core/tool.ts";
import { pathAccess } from "../access-path.ts";
import { leavesFolder, namedPaths, runsElsewhere } from "../declared-paths.ts";

/** What a tool of Claude Code touches, and the field of its input that says so. */
const ACCESS: Readonly<Record<string, { readonly kind: DeclaredAccess["kind"]; readonly field: string }>> = {
  Read: { kind: "read", field: "file_path" },
  Glob: { kind: "read", field: "path" },
  Grep: { kind: "read", field: "path" },
  Write: { kind: "write", field: "file_path" },
  Edit: { kind: "write", field: "file_path" },
  MultiEdit: { kind: "write", field: "file_path" },
  NotebookEdit: { kind: "write", field: "notebook_path" },
  Bash: { kind: "execute", field: "command" },
  PowerShell: { kind: "execute", field: "command" },
  WebFetch: { kind: "network", field: "url" },
};

/** These use no file, command or URL. Each call of a sub-agent is asked for on its own. */
const TOUCHES_NOTHING: ReadonlySet<string> = new Set([
  ...["Agent", "Task", "ListAgents", "SendMessage", "ReportFindings", "ToolSearch"],
  ...["TodoWrite", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate", "TaskStop", "AskUserQuestion"],
]);

/** What a call of a tool of Claude Code touches, as far as its input says so. */
export function claudeAccess(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  directory: string,
): readonly Access[] {
  if (TOUCHES_NOTHING.has(tool)) return [];
  const known = Object.hasOwn(ACCESS, tool) ? ACCESS[tool] : undefined;
  if (!known) return ["undeclared"];
  const { kind, field } = known;
  // A search begins in the working directory.
  const value = input[field] ?? (field === "path" ? directory : undefined);
  if (typeof value !== "string" || value === "") return ["undeclared"];
  if (tool === "Glob" && leavesFolder(input.pattern)) return ["undeclared"];
  if (kind === "read" || kind === "write") return pathAccess(kind, [value, ...namedPaths(input)], directory);
  // A rule for a command is meant for the directory of the session.
  return runsElsewhere(input, directory) ? ["undeclared"] : [{ kind, target: value }];
}
