import { statSync } from "node:fs";
import { dirname, isAbsolute, join, parse, resolve, sep } from "node:path";
import type { Access } from "../core/tool.ts";
import { resolveLinks } from "../files/real-path.ts";

/**
 * What a call touches, with the real path of everything that is reached through a link beside the path as it was
 * said: a rule about either counts, and neither can hide the other.
 */
export function withRealTargets(access: readonly Access[], directory: string): readonly Access[] {
  return access.flatMap((each): Access[] => {
    if (each === "undeclared" || (each.kind !== "read" && each.kind !== "write")) return [each];
    const target = resolve(directory, each.target);
    const places = new Set([target, resolveLinks(target), ...walked(each.target, directory)]);
    return [...places].map((place) => ({ ...each, target: place }));
  });
}

/**
 * Where a path leads that goes up again: a program that opens it as it is written goes up from where a link leads, not from
 * where the link stands.
 */
function walked(path: string, directory: string): string[] {
  const written = isAbsolute(path) ? path : `${directory}${sep}${path}`;
  const { root } = parse(written);
  const steps = written.slice(root.length).split(sep);
  if (!steps.includes("..")) return [];
  return [steps.reduce((at, step) => (step === ".." ? dirname(at) : resolveLinks(join(at, step))), root)];
}

/** Whether there is a folder. Never throws. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
