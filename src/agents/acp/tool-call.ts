import type { Content } from "../../core/result.ts";
import type { Access } from "../../core/tool.ts";
import { pathAccess } from "../access-path.ts";
import type { ContentBlock, ToolCallContent, ToolCallFields } from "./acp-sdk.ts";

/** Later fields replace earlier ones. An empty input does not replace one that is known. */
export function mergeToolCall(before: ToolCallFields | undefined, change: ToolCallFields): ToolCallFields {
  const known = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined && value !== null));
  const merged = { ...before, ...known } as ToolCallFields;
  const keepsInput = before?.rawInput !== undefined && isEmpty(change.rawInput);
  return {
    ...merged,
    ...(keepsInput ? { rawInput: before.rawInput } : {}),
    _meta: { ...before?._meta, ...change._meta, terminal: terminalOf(before) + outputDelta(change) },
  };
}

/** What a command has printed so far. Codex sends it in pieces, in `_meta`. */
function terminalOf(call: ToolCallFields | undefined): string {
  return typeof call?._meta?.terminal === "string" ? call._meta.terminal : "";
}

function outputDelta({ _meta }: ToolCallFields): string {
  const { data } = (_meta?.terminal_output_delta ?? {}) as { data?: unknown };
  return typeof data === "string" ? data : "";
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** The result of a call of the agent's own tool. */
export function contentOf(call: ToolCallFields): Content[] {
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

function blockContent(block: ContentBlock): Content[] {
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
 * What a call of an agent's own tool touches, as far as its fields say so. A command and a URL are taken only from the input, because
 * a title may show something else.
 */
export function accessOf({ kind, locations, rawInput }: ToolCallFields, directory: string): readonly Access[] {
  const { command, url } = (typeof rawInput === "object" && rawInput !== null ? rawInput : {}) as {
    command?: unknown;
    url?: unknown;
  };
  const paths = (locations ?? []).map(({ path }) => path);
  switch (kind) {
    case "read":
    case "search":
      return pathAccess("read", paths, directory);
    case "edit":
    case "delete":
    case "move":
      return pathAccess("write", paths, directory);
    case "execute":
      return typeof command === "string" ? [{ kind: "execute", target: command }] : ["undeclared"];
    case "fetch":
      return typeof url === "string" ? [{ kind: "network", target: url }] : ["undeclared"];
    default:
      return ["undeclared"];
  }
}
