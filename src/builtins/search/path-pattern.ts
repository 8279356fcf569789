import { toRegExp } from "./path-expression.ts";
import type { PathPart } from "./path-part.ts";

/** Returns a function that says whether a path matches all parts, in at most the length of the pattern × that of the path. */
export function pathMatcher(parts: readonly PathPart[]): (path: string) => boolean {
  const expression = toRegExp(parts);
  return expression ? (path) => expression.test(path) : (path) => followsAll(parts, path);
}

/** Follows all ways to match at once. */
function followsAll(parts: readonly PathPart[], path: string): boolean {
  const start = new Uint8Array(path.length + 1);
  start[0] = 1;
  return follow(parts, path, start)[path.length] === 1;
}

/** The positions in a path at which a match may end: 1 at each of them. */
type Positions = Uint8Array;

function follow(parts: readonly PathPart[], path: string, from: Positions): Positions {
  let reached = from;
  for (const part of parts) {
    const next = new Uint8Array(path.length + 1);
    if (part.kind === "choice") {
      for (const option of part.options) add(follow(option, path, reached), next);
    } else if (part.kind === "text" || part.kind === "one") step(part, path, reached, next);
    else spread(part.kind, path, reached, next);
    if (!next.includes(1)) return next;
    reached = next;
  }
  return reached;
}

function add(positions: Positions, to: Positions): void {
  for (let at = positions.indexOf(1); at >= 0; at = positions.indexOf(1, at + 1)) to[at] = 1;
}

function step(part: PathPart & { kind: "text" | "one" }, path: string, from: Positions, to: Positions): void {
  for (let at = from.indexOf(1); at >= 0; at = from.indexOf(1, at + 1)) {
    if (part.kind === "text") {
      if (path.startsWith(part.text, at)) to[at + part.text.length] = 1;
      continue;
    }
    const code = path.codePointAt(at);
    if (code === undefined) continue;
    const character = String.fromCodePoint(code);
    if (part.set.test(character)) to[at + character.length] = 1;
  }
}

/** Goes through the path once. */
function spread(kind: "star" | "folders" | "anything", path: string, from: Positions, to: Positions): void {
  let isInStar = false;
  let isInFolders = false;
  for (let at = 0; at <= path.length; at++) {
    const startsName = at === 0 || path.charCodeAt(at - 1) === SLASH;
    const endsName = at === path.length || path.charCodeAt(at) === SLASH;
    if (startsName && kind === "folders" && isInStar) to[at] = 1;
    if (startsName) isInStar = false;
    if (from[at] === 1) isInStar = true;
    if (from[at] === 1 && startsName) isInFolders = true;
    if (kind === "folders" ? startsName && isInFolders : isInStar) to[at] = 1;
    if (kind === "anything" && endsName && isInFolders) to[at] = 1;
  }
}

const SLASH = 47;
