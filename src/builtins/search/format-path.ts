/** A path for output. A path with control characters or line separators is written as JSON. */
export function formatPath(path: string): string {
  return /[\p{Cc}\u2028\u2029]/u.test(path) ? JSON.stringify(path) : path;
}

/** A path in quotes, for use in a sentence. */
export function quotedPath(path: string): string {
  const shown = formatPath(path);
  return shown === path ? `"${path}"` : shown;
}

/** A number with its noun: `1 file`, `2 files`. */
export function formatCount(count: number, one: string, several: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
