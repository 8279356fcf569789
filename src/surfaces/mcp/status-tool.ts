import type { CallToolResult, Tool as McpTool } from "@modelcontextprotocol/server";
import type { Problem } from "../../core/problem.ts";
import { countText } from "../../platform/text/amount-text.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import { listNames } from "./list-names.ts";
import { PINNED_META } from "./pinned-tools.ts";

/** A tool of the server itself, offered only while tools are missing. A tool file may use the name. */
export const STATUS_TOOL = "toolwright-status";

/** In `_meta` of its result: why tools are missing, as a word for programs. */
export const MISSING_META = "toolwright/missing";

type Missing =
  | { readonly kind: "blocked"; readonly fix: string; readonly files: readonly string[] }
  /** No tool file could be loaded. */
  | { readonly kind: "failed"; readonly problems: readonly Pick<Problem, "file" | "line" | "message">[] }
  /** No tool file has been loaded yet. */
  | { readonly kind: "loading"; readonly files: readonly string[] };

/** The status tool as it is listed; undefined while no tools are missing. */
export function statusTool(toolbox: Toolbox): McpTool | undefined {
  const missing = missingTools(toolbox);
  if (!missing) return undefined;
  return {
    name: STATUS_TOOL,
    description: `${describe(missing, toolbox)} Call this tool for the details, and tell the user.`,
    inputSchema: { type: "object", properties: {} },
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    _meta: PINNED_META,
  };
}

/** The result of the status tool. Runs no code of the project. */
export function statusResult(toolbox: Toolbox, served: readonly string[]): CallToolResult {
  const missing = missingTools(toolbox);
  const names = served.length === 0 ? "No tools are served." : `These tools are served: ${listNames(served)}.`;
  const text = missing ? explain(missing, toolbox) : `No tools are missing. ${names}`;
  return { content: [{ type: "text", text }], ...(missing ? { _meta: { [MISSING_META]: missing.kind } } : {}) };
}

function missingTools(toolbox: Toolbox): Missing | undefined {
  const { status } = toolbox;
  const [first] = status.blocked;
  if (first) return { kind: "blocked", fix: first.fix, files: status.blocked.flatMap(({ files }) => files) };
  if (toolbox.list().some(({ source }) => source !== "builtin")) return undefined;
  if (status.loading.length > 0) return { kind: "loading", files: status.loading };
  const all = [...toolbox.problems(), ...status.warnings];
  return all.length > 0 ? { kind: "failed", problems: all } : undefined;
}

function describe(missing: Missing, { project }: Toolbox): string {
  switch (missing.kind) {
    case "blocked":
      return `The tools of ${project.root} are missing, because the user has not trusted this project.`;
    case "failed":
      return `No tools could be loaded for ${project.directory}: ${countText(missing.problems.length, "problem")}.`;
    case "loading":
      return `The tools of ${project.directory} are still being loaded.`;
  }
}

function explain(missing: Missing, toolbox: Toolbox): string {
  const what = describe(missing, toolbox);
  switch (missing.kind) {
    case "blocked":
      return `${what} ${countText(missing.files.length, "file")} did not load:
${lines(missing.files)}
The user can read the files and then run this command. Do not run it yourself.
  ${missing.fix}
The tools are served as soon as the project is trusted. If they do not appear, start a new session.`;
    case "failed":
      return `${what}
${lines(missing.problems.map(({ file, line, message }) => `${file}${line === undefined ? "" : `:${line}`}: ${message}`))}
The tools are served as soon as the files are corrected. To check them, run: toolwright check`;
    case "loading":
      return `${what} ${countText(missing.files.length, "file")} did not load yet:
${lines(missing.files)}
List the tools again, or start a new session. If a file never loads, run: toolwright check`;
  }
}

const MAX_LINES = 20;

function lines(texts: readonly string[]): string {
  const more = texts.length > MAX_LINES ? [`and ${texts.length - MAX_LINES} more`] : [];
  return [...texts.slice(0, MAX_LINES), ...more].map((text) => `- ${text.replace(/\s*\n\s*/g, " ")}`).join("\n");
}
