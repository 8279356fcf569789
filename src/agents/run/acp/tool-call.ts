import type { Content } from "../../../core/result.ts";
import type { Access } from "../../../core/tool.ts";
import { allAccess, pathAccess } from "../access-path.ts";
import { hasMoreThan, lastingParts, leadsElsewhere, namedPaths, searchesElsewhere } from "../declared-paths.ts";
import type { AcpContent, ToolCallContent, ToolCallFields } from "./acp-sdk.ts";

/** Later fields replace earlier ones, but what a call touches, where it runs and what kinds it had stay declared. */
export function mergeToolCall(before: ToolCallFields | undefined, change: ToolCallFields): ToolCallFields {
  const known = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined && value !== null));
  const merged = { ...before, ...known } as ToolCallFields;
  const rawInput = mergedInput(before?.rawInput, change.rawInput);
  return {
    ...merged,
    ...(rawInput === undefined ? {} : { rawInput }),
    locations: filesOf(before, change),
    _meta: {
      ...before?._meta,
      ...change._meta,
      terminal: terminalOf(before) + outputDelta(change),
      earlier: earlierParts(before, change),
      kinds: [...new Set([...kindsOf(before), ...(known.kind === undefined ? [] : [String(known.kind)])])],
    },
  };
}

/** All files that a call has named before, and those of the change: the fields of the call keep its last content. */
function filesOf(before: ToolCallFields | undefined, change: ToolCallFields): { readonly path: string }[] {
  const located = [before, change].flatMap(locatedFiles);
  const replaced = change.rawInput === undefined ? [] : namedPaths(before?.rawInput);
  const paths = [...located, ...changedFiles(before?.content), ...replaced];
  return [...new Set(paths)].map((path) => ({ path }));
}

/** What is no text cannot be a certain path: see `accessPath`. */
function locatedFiles(call: Partial<ToolCallFields> | undefined): string[] {
  return (call?.locations ?? []).map(({ path }: { path: unknown }) => (typeof path === "string" ? path : ""));
}

/** The parts of replaced inputs that still count, each once. */
function earlierParts(before: ToolCallFields | undefined, { rawInput }: ToolCallFields): readonly unknown[] {
  const parts = [...earlierOf(before), ...(rawInput === undefined ? [] : lastingParts(before?.rawInput))];
  return [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()];
}

function earlierOf(call: ToolCallFields | undefined): readonly unknown[] {
  return (call?._meta?.earlier ?? []) as readonly unknown[];
}

/** The kinds that a call has had. */
function kindsOf(call: ToolCallFields | undefined): readonly string[] {
  return (call?._meta?.kinds ?? []) as readonly string[];
}

function changedFiles(content: ToolCallFields["content"]): string[] {
  return (content ?? []).flatMap((part) => (part.type === "diff" ? namedPaths(part) : []));
}

/** What a command has printed so far. Codex sends it in pieces, in `_meta`. */
function terminalOf(call: ToolCallFields | undefined): string {
  return typeof call?._meta?.terminal === "string" ? call._meta.terminal : "";
}

function outputDelta({ _meta }: ToolCallFields): string {
  const { data } = (_meta?.terminal_output_delta ?? {}) as { data?: unknown };
  return typeof data === "string" ? data : "";
}

/** An agent may send a part of the input again, or an empty one. */
function mergedInput(before: unknown, after: unknown): unknown {
  if (!isObject(before) || after === undefined || after === null) return after ?? before;
  return isObject(after) ? { ...before, ...after } : after;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && (!Array.isArray(value) || value.length === 0);
}

/** The result of a call of the agent's own tool. */
export function toolCallContent(call: ToolCallFields): Content[] {
  const { content, rawOutput } = call;
  const printed = terminalOf(call);
  const parts = [
    ...(content ?? []).flatMap(toContent),
    ...(printed === "" ? [] : [{ type: "text", text: printed } as const]),
  ];
  if (parts.length > 0 || rawOutput === undefined) return parts;
  return [{ type: "text", text: typeof rawOutput === "string" ? rawOutput : JSON.stringify(rawOutput) }];
}

function toContent(part: ToolCallContent): Content[] {
  if (part.type === "diff") return [{ type: "text", text: `Changed ${part.path}.` }];
  return part.type === "content" ? blockContent(part.content) : [];
}

function blockContent(block: AcpContent): Content[] {
  switch (block.type) {
    case "text":
      return [{ type: "text", text: block.text }];
    case "image":
      return [{ type: "image", data: block.data, mimeType: block.mimeType }];
    case "resource_link":
      return [{ type: "text", text: block.uri }];
    case "resource":
      return [{ type: "text", text: block.resource.text ?? block.resource.uri }];
    default:
      return [];
  }
}

/**
 * What a call of an agent's own tool touches: everything that one of its fields says. A command and a URL are taken only from the
 * input, because a title may show something else.
 */
export function toolCallAccess(call: ToolCallFields, directory: string): readonly Access[] {
  const changed = changedFiles(call.content);
  return allAccess([
    ...accessByKind(call, directory),
    ...(changed.length === 0 ? [] : pathAccess("write", changed, directory)),
  ]);
}

/** Kinds of calls that change something. A call does not become one that only reads. */
const CHANGES: ReadonlySet<string> = new Set(["edit", "delete", "move", "execute", "fetch"]);

function accessByKind(call: ToolCallFields, directory: string): readonly Access[] {
  const { kind, content, rawInput } = call;
  const { command, url } = (typeof rawInput === "object" && rawInput !== null ? rawInput : {}) as {
    readonly [Key in "command" | "url"]?: unknown;
  };
  const said = [rawInput, ...earlierOf(call)];
  const located = locatedFiles(call);
  const moved = kind === "move" ? kind : undefined;
  const named = namedPaths(rawInput, moved);
  const paths = [...located, ...changedFiles(content), ...named];
  const declared = kind === "execute" ? command : kind === "fetch" ? url : undefined;
  if (leadsElsewhere(said, directory, moved, declared)) return ["undeclared"];
  switch (kind) {
    case "search":
    case "read":
      if (searchesElsewhere(rawInput) || kindsOf(call).some((each) => CHANGES.has(each))) return ["undeclared"];
      return pathAccess("read", [...located, ...named], directory);
    case "edit":
    case "delete":
      return pathAccess("write", paths, directory);
    case "move":
      return paths.length < 2 ? ["undeclared"] : pathAccess("write", paths, directory);
    case "execute":
      // A rule for a command is meant for the directory of the session.
      if (typeof command !== "string" || named.length > 0 || hasMoreThan(command, said)) return ["undeclared"];
      return [
        { kind: "execute", target: command },
        ...(located.length === 0 ? [] : pathAccess("read", located, directory)),
      ];
    case "fetch":
      if (typeof url !== "string" || located.length + named.length > 0) return ["undeclared"];
      return [{ kind: "network", target: url }];
    default:
      return ["undeclared"];
  }
}
