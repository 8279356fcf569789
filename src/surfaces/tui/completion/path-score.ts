/**
 * How well a path matches what a user has typed: the lower, the better; undefined if it does not match. Both are in lower case.
 * The name of the file counts most, then a part of the path, then the letters in this order anywhere in the path.
 */
export function pathScore(path: string, query: string): number | undefined {
  if (query === "") return depthOf(path) * LEVEL + path.length;
  const nameAt = path.lastIndexOf("/", path.length - 2) + 1;
  const inName = path.indexOf(query, nameAt);
  if (inName >= 0) {
    const isWhole = path.length - inName === query.length || path[inName + query.length] === ".";
    const place = inName === nameAt ? (isWhole ? 0 : 1) : 2;
    return place * TIER + path.length;
  }
  const inPath = path.indexOf(query);
  if (inPath === 0) return 3 * TIER + depthOf(path) * LEVEL + path.length;
  if (inPath > 0) return (path[inPath - 1] === "/" ? 4 : 5) * TIER + path.length;
  const spread = spreadOf(path, query);
  return spread === undefined ? undefined : 6 * TIER + spread * LEVEL + path.length;
}

/** More than any path is long. */
const LEVEL = 10_000;
const TIER = LEVEL * 10_000;

function depthOf(path: string): number {
  let depth = 0;
  for (let at = path.indexOf("/"); at >= 0 && at < path.length - 1; at = path.indexOf("/", at + 1)) depth += 1;
  return depth;
}

/**
 * The number of letters between the first and the last letter of the query that do not belong to it. The last letters are
 * searched from the end, because the name of a file is there.
 */
function spreadOf(path: string, query: string): number | undefined {
  let at = path.length;
  let last = -1;
  for (let index = query.length - 1; index >= 0; index -= 1) {
    at = at === 0 ? -1 : path.lastIndexOf(query[index] ?? "", at - 1);
    if (at < 0) return undefined;
    if (last < 0) last = at;
  }
  return last - at + 1 - query.length;
}
