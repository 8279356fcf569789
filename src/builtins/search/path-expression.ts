import type { PathPart } from "./path-part.ts";

/**
 * The regular expression of a pattern that can match a path in few ways, which is fast: with at most one `**`, few
 * alternatives, and stars in a name that are not followed by alternatives and another star. Undefined for others.
 */
export function toRegExp(parts: readonly PathPart[]): RegExp | undefined {
  if (!hasFewWays(parts)) return undefined;
  let source = "";
  let groups = 0;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] as PathPart;
    const end = part.kind === "star" ? nextStar(parts, at) : undefined;
    if (end === undefined) source += sourceOf(part);
    else {
      // Atomic: the first place of the characters between two stars leaves the most for the rest.
      source += `(?=([^/]*?${parts
        .slice(at + 1, end)
        .map(sourceOf)
        .join("")}))\\${++groups}`;
      at = end - 1;
    }
  }
  return new RegExp(`^${source}$`, "su");
}

const MAX_ALTERNATIVES = 64;

function hasFewWays(parts: readonly PathPart[]): boolean {
  let startsName = true;
  let doubleStars = 0;
  let stars = 0;
  let alternatives = 1;
  for (const [at, part] of parts.entries()) {
    const isSlash = part.kind === "text" && part.text.includes("/");
    if (part.kind === "choice" && !part.options.flat().every(isInName)) return false;
    if (part.kind === "one" && !isInName(part)) return false;
    if (part.kind === "choice") alternatives *= part.options.length;
    if (part.kind === "star" && nextStar(parts, at) === undefined) stars++;
    if (part.kind === "folders" || part.kind === "anything") {
      if (!startsName) return false;
      doubleStars++;
    }
    if (part.kind === "anything" && at < parts.length - 1) return false;
    if (doubleStars > 1 || stars > 1 || alternatives > MAX_ALTERNATIVES) return false;
    if (part.kind === "folders" || isSlash) stars = 0;
    startsName = part.kind === "folders" || (part.kind === "text" && part.text.endsWith("/"));
  }
  return true;
}

/** The next star in the same name, if only characters are in between. */
function nextStar(parts: readonly PathPart[], star: number): number | undefined {
  const end = parts.findIndex((part, at) => at > star && !isInName(part));
  return parts[end]?.kind === "star" ? end : undefined;
}

function isInName(part: PathPart): boolean {
  return part.kind === "one" ? !part.set.test("/") : part.kind === "text" && !part.text.includes("/");
}

function sourceOf(part: PathPart): string {
  switch (part.kind) {
    case "text":
      return part.text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    case "one":
      return part.set.source;
    case "star":
      return "[^/]*";
    case "folders":
      return "(?:.*/)?";
    case "anything":
      return ".+";
    case "choice":
      return `(?:${part.options.map((option) => option.map(sourceOf).join("")).join("|")})`;
  }
}
