import { nearest } from "../core/nearest.ts";
import type { Problem } from "../core/problem.ts";
import type { ToolResult } from "../core/result.ts";
import type { Entry, ToolInfo } from "../registry/entry.ts";
import type { CallRequest } from "./call.ts";
import { failure, placeOf } from "./failures.ts";
import type { LoadingStatus, PipelineParts } from "./pipeline-parts.ts";

/** Returns a function that finds the tool of a request, or explains why it is missing and what to do. */
export function createResolve({ catalog, status }: PipelineParts): (request: CallRequest) => Entry | ToolResult {
  const { registry } = catalog;
  const known: Known = { list: () => registry.list(), problems: () => registry.problems, status };
  return ({ name, sessionID }) => {
    if (catalog.isClosed) return failure("failed", `"${name}" was not called: the toolbox is closed. Open a new one.`);
    const found = registry.lookup(name, sessionID);
    switch (found.kind) {
      case "found":
        return found.entry;
      case "disabled":
        return failure("denied", `"${name}" is disabled. To use it, take it out of "tools.disabled" in the settings.`);
      case "replaced":
        return failure("unknown_tool", `"${name}" now means another tool than when this session began. ${ANEW}`);
      case "removed":
        return failure("unknown_tool", `"${name}" has been removed since this session began. ${ANEW}`);
      case "unknown":
        return notThere(name, known);
    }
  };
}

const ANEW = "List the tools again, or begin a new session.";

/** What there is, and what else there may be. */
export interface Known {
  list(): readonly ToolInfo[];
  problems(): readonly Problem[];
  readonly status: LoadingStatus;
}

/** Why there is no tool of this name, as far as that is known, and what to do. */
export function notThere(name: string, known: Known): ToolResult & { ok: false } {
  const held = known.status.blocked.find(({ files }) => files.some((file) => couldHold(file, name)));
  if (held) {
    return failure(
      "denied",
      `"${name}" belongs to a project that is not trusted. To allow its tools, run: ${held.fix}`,
    );
  }
  const broken = known.problems().find((problem) => problem.tool === name || couldHold(problem.file, name));
  if (broken) return failure("unknown_tool", `"${name}" cannot be used. ${placeOf(broken)}: ${broken.message}`);
  const names = known.list().flatMap((tool) => (tool.enabled ? [tool.name] : []));
  const near = nearest(name, names);
  const [closed] = known.status.blocked;
  if (closed && near.length === 0) {
    return failure(
      "denied",
      `There is no tool "${name}" that may run, but this project is not trusted and may hold it. To allow its tools, run: ${closed.fix}`,
    );
  }
  const loading = known.status.loading;
  if (loading.length > 0 && near.length === 0) {
    return failure(
      "unknown_tool",
      `There is no tool "${name}" so far, but ${isOrAre(loading)} still being loaded and may hold it: ${loading.join(", ")}. Try again later, or run "toolwright check" to see what keeps ${loading.length === 1 ? "it" : "them"}.`,
    );
  }
  return failure("unknown_tool", `There is no tool "${name}". ${suggestion(near, names, known.problems())}`, {
    data: { nearest: near },
  });
}

function suggestion(near: readonly string[], names: readonly string[], problems: readonly Problem[]): string {
  if (near.length > 0) return `Did you mean ${near.map((each) => `"${each}"`).join(" or ")}?`;
  // Many forms carry their own names: whatever could not be read may have held it.
  if (problems.length > 0) return `${countOf(problems)} could not be read: run "toolwright check" to see why.`;
  return names.length > 0 ? "List the tools to see which there are." : "There are no tools at all.";
}

function isOrAre({ length }: readonly string[]): string {
  return length === 1 ? "one file is" : `${length} files are`;
}

function countOf(problems: readonly Problem[]): string {
  const files = new Set(problems.map(({ file }) => file)).size;
  return files === 1 ? "One file" : `${files} files`;
}

/** Before a file is run only its own name is known: its tools are called that, or begin so. */
export function couldHold(file: string, name: string): boolean {
  const base = file.replace(/[\\/]index\.[^.]+$/, "").replace(/\.[^./\\]+$/, "");
  const stem = base.slice(Math.max(base.lastIndexOf("/"), base.lastIndexOf("\\")) + 1);
  return name === stem || name.startsWith(`${stem}_`);
}
