import type { Access, DeclaredAccess } from "../../core/tool.ts";
import { accessPath } from "../access-path.ts";

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
  ...["TodoWrite", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate", "TaskStop"],
]);

/** What a call of a tool of Claude Code touches, as far as its input says so. */
export function accessOf(tool: string, input: Readonly<Record<string, unknown>>, directory: string): readonly Access[] {
  if (TOUCHES_NOTHING.has(tool)) return [];
  const known = Object.hasOwn(ACCESS, tool) ? ACCESS[tool] : undefined;
  if (!known) return ["undeclared"];
  const { kind, field } = known;
  const isFile = kind === "read" || kind === "write";
  // A search begins in the working directory.
  const value = input[field] ?? (field === "path" ? directory : undefined);
  if (typeof value !== "string" || value === "") return ["undeclared"];
  if (tool === "Glob" && leavesFolder(input.pattern)) return ["undeclared"];
  const target = isFile ? accessPath(value, directory) : value;
  return target === undefined ? ["undeclared"] : [{ kind, target }];
}

/** Whether a pattern may match files outside of the folder in which the search begins. */
function leavesFolder(pattern: unknown): boolean {
  return typeof pattern !== "string" || /\.\.|(?:^|[{(,|])\s*(?:[\\/~]|\w:)/.test(pattern);
}
