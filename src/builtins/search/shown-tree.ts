import { counted, shownPath } from "./shown-path.ts";
import type { Inside, TreeNode } from "./tree.ts";

/** A tree as a model reads it: one entry on a line, deeper ones further to the right. */
export function shownTree(name: string, inside: Inside): string {
  return [`${shownPath(name)}/${remark(inside)}`, ...linesOf(inside, 1)].join("\n");
}

/** How many entries there are, and how many folders show less than is in them. */
export function sizeOf(inside: Inside): { entries: number; cut: number } {
  if (inside.kind !== "open") return { entries: 0, cut: inside.kind === "closed" ? 1 : 0 };
  const size = { entries: inside.nodes.length, cut: inside.left > 0 ? 1 : 0 };
  for (const { inside: deeper } of inside.nodes) {
    const below = deeper ? sizeOf(deeper) : { entries: 0, cut: 0 };
    size.entries += below.entries;
    size.cut += below.cut;
  }
  return size;
}

function linesOf(inside: Inside, depth: number): string[] {
  if (inside.kind !== "open") return [];
  const indent = "  ".repeat(depth);
  const lines = inside.nodes.flatMap((node) => [indent + lineOf(node), ...linesOf(node.inside ?? EMPTY, depth + 1)]);
  return inside.left > 0 ? [...lines, `${indent}[${counted(inside.left, "more entry", "more entries")} here]`] : lines;
}

const EMPTY: Inside = { kind: "open", nodes: [], left: 0 };

function lineOf({ name, target, inside }: TreeNode): string {
  if (inside) return `${shownPath(name)}/${remark(inside)}`;
  return target === undefined ? shownPath(name) : `${shownPath(name)} -> ${shownPath(target)}`;
}

function remark(inside: Inside): string {
  if (inside.kind === "unreadable") return " [cannot be read]";
  if (inside.kind === "closed") return ` [${counted(inside.count, "entry", "entries")}, not shown]`;
  return inside.nodes.length === 0 && inside.left === 0 ? " [empty]" : "";
}
