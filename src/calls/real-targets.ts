import { dirname, isAbsolute, join, parse, resolve, sep } from "node:path";
import type { Access } from "../core/tool.ts";
import { resolveLinks } from "../platform/files/real-path.ts";

/**
 * Adds to each path that a call touches the real path behind its links. The rules for both apply, so that a link cannot hide
 * its target, nor a target its link.
 */
export function withRealTargets(access: readonly Access[], directory: string): readonly Access[] {
  return access.flatMap((each): Access[] => {
    if (each === "undeclared" || (each.kind !== "read" && each.kind !== "write")) return [each];
    const target = resolve(directory, each.target);
    const paths = new Set([target, resolveLinks(target), ...unnormalised(each.target, directory)]);
    return [...paths].map((path) => ({ ...each, target: path }));
  });
}

/**
 * The target of a path with `..` as a program finds it that does not normalise the path: `..` after a link is the parent of
 * the link's target.
 */
function unnormalised(path: string, directory: string): string[] {
  const written = isAbsolute(path) ? path : `${directory}${sep}${path}`;
  const { root } = parse(written);
  const steps = written.slice(root.length).split(sep);
  if (!steps.includes("..")) return [];
  return [steps.reduce((at, step) => (step === ".." ? dirname(at) : resolveLinks(join(at, step))), root)];
}
