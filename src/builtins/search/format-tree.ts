import { formatCount, formatPath } from "./format-path.ts";
import type { FolderContent, TreeNode } from "./tree.ts";

/** Formats a tree: one entry per line, indented by depth. */
export function formatTree(name: string, inside: FolderContent): string {
  return [`${formatPath(name)}/${note(inside)}`, ...linesOf(inside, 1)].join("\n");
}

/** The number of entries, and of folders that are not shown completely. */
export function treeSize(inside: FolderContent): { entries: number; cut: number } {
  if (inside.kind !== "open") return { entries: 0, cut: inside.kind === "closed" ? 1 : 0 };
  const size = { entries: inside.nodes.length, cut: inside.omitted > 0 ? 1 : 0 };
  for (const { inside: deeper } of inside.nodes) {
    const below = deeper ? treeSize(deeper) : { entries: 0, cut: 0 };
    size.entries += below.entries;
    size.cut += below.cut;
  }
  return size;
}

function linesOf(inside: FolderContent, depth: number): string[] {
  if (inside.kind !== "open") return [];
  const indent = "  ".repeat(depth);
  const lines = inside.nodes.flatMap((node) => [indent + lineOf(node), ...linesOf(node.inside ?? EMPTY, depth + 1)]);
  return inside.omitted > 0
    ? [...lines, `${indent}[${formatCount(inside.omitted, "more entry", "more entries")} here]`]
    : lines;
}

const EMPTY: FolderContent = { kind: "open", nodes: [], omitted: 0 };

function lineOf({ name, target, inside }: TreeNode): string {
  if (inside) return `${formatPath(name)}/${note(inside)}`;
  return target === undefined ? formatPath(name) : `${formatPath(name)} -> ${formatPath(target)}`;
}

function note(inside: FolderContent): string {
  if (inside.kind === "unreadable") return " [cannot be read]";
  if (inside.kind === "skipped") return " [not shown]";
  if (inside.kind === "closed") return ` [${formatCount(inside.count, "entry", "entries")}, not shown]`;
  return inside.nodes.length === 0 && inside.omitted === 0 ? " [empty]" : "";
}
