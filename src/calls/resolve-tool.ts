import type { Blocked } from "../catalog/discovery/tool-file.ts";
import { type RegistryEntry, type ToolInfo, toInfo } from "../catalog/registry/registry-entry.ts";
import { mayDefine } from "../catalog/registry/resolve-names.ts";
import type { Problem } from "../core/problem.ts";
import type { ToolResult } from "../core/result.ts";
import { nearest, suggestion } from "../platform/text/nearest.ts";
import type { CallRequest } from "./call.ts";
import { failure, placeOf } from "./failures.ts";
import type { LoadingStatus, PipelineParts } from "./pipeline-parts.ts";

/** Returns a function that finds the tool of a request, or explains why it is missing and what to do. */
export function createResolve({
  catalog,
  status,
  sessionOf,
}: PipelineParts): (request: CallRequest) => RegistryEntry | ToolResult {
  const served: ServedTools = {
    list: () => catalog.registry.list(),
    problems: () => catalog.registry.problems,
    status,
  };
  return ({ name, sessionID, has, entry }) => {
    if (catalog.isClosed) return failure("failed", `"${name}" was not called: the toolbox is closed. Open a new one.`);
    if (entry) return !has || has(toInfo(entry)) ? entry : notYours(name);
    const found = catalog.registry.lookup(name, sessionID === undefined ? undefined : sessionOf(sessionID).pinned);
    switch (found.kind) {
      case "found":
        return !has || has(toInfo(found.entry)) ? found.entry : notYours(name);
      case "disabled":
        return failure("denied", explainDisabled(name));
      case "replaced":
        return failure("unknown_tool", `"${name}" is a different tool than when this session began. ${LIST_AGAIN}`);
      case "removed":
        return failure("unknown_tool", `"${name}" has been removed since this session began. ${LIST_AGAIN}`);
      case "unknown":
        return explainMissing(name, served);
    }
  };
}

/** What to do about a tool that the settings disable. */
export const ENABLE_IT = 'To use it, take it out of "tools.disabled" in the settings.';

/** Why a tool that the settings disable cannot be called. */
export function explainDisabled(name: string): string {
  return `"${name}" is disabled. ${ENABLE_IT}`;
}

/** Why a tool of an untrusted project cannot be called. */
export function explainBlocked(name: string, { fix }: Blocked): string {
  return `"${name}" belongs to a project that is not trusted. To allow its tools, run: ${fix}`;
}

function notYours(name: string): ToolResult {
  return failure("unknown_tool", `"${name}" is not one of your tools. Use the tools that you were given.`);
}

const LIST_AGAIN = "List the tools again, or start a new session.";

/** The tools that are served, and the files that may define others. */
interface ServedTools {
  list(): readonly ToolInfo[];
  problems(): readonly Problem[];
  readonly status: LoadingStatus;
}

/** Explains why there is no tool of this name, and what to do. */
export function explainMissing(name: string, served: ServedTools): ToolResult & { ok: false } {
  const blocked = served.status.blocked.find(({ files }) => files.some((file) => mayDefine(file, name)));
  if (blocked) return failure("denied", explainBlocked(name, blocked));
  const broken = served.problems().find((problem) => problem.tool === name || mayDefine(problem.file, name));
  if (broken) return failure("unknown_tool", `"${name}" cannot be used. ${placeOf(broken)}: ${broken.message}`);
  const names = served.list().flatMap((tool) => (tool.enabled ? [tool.name] : []));
  const near = nearest(name, names);
  const [untrusted] = served.status.blocked;
  if (untrusted && near.length === 0) {
    return failure(
      "denied",
      `There is no tool "${name}". This project is not trusted and may define it. To allow its tools, run: ${untrusted.fix}`,
    );
  }
  const loading = served.status.loading;
  if (loading.length > 0 && near.length === 0) {
    return failure(
      "unknown_tool",
      `There is no tool "${name}" yet. ${isOrAre(loading)} still being loaded and may define it: ${firstOf(loading)}. Try again later, or run "toolwright check" to see why.`,
    );
  }
  return failure("unknown_tool", `There is no tool "${name}". ${nextStep(near, names, served.problems())}`, {
    data: { nearest: near },
  });
}

function nextStep(near: readonly string[], names: readonly string[], problems: readonly Problem[]): string {
  // In many formats the tool name is inside the file, so any unreadable file may define the tool.
  const unread = `${countOf(problems)} could not be read: run "toolwright check" to see why.`;
  if (near.length > 0) return [suggestion(near), ...(problems.length > 0 ? [unread] : [])].join(" ");
  if (problems.length > 0) return unread;
  return names.length > 0 ? "List the tools to see all names." : "No tools are available.";
}

/** The most names of files in a message. */
const MAX_FILES = 10;

function firstOf(files: readonly string[]): string {
  const more = files.length - MAX_FILES;
  return more <= 0 ? files.join(", ") : `${files.slice(0, MAX_FILES).join(", ")} and ${more} more`;
}

function isOrAre({ length }: readonly string[]): string {
  return length === 1 ? "One file is" : `${length} files are`;
}

function countOf(problems: readonly Problem[]): string {
  const files = new Set(problems.map(({ file }) => file)).size;
  return files === 1 ? "One file" : `${files} files`;
}
