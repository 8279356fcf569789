/** A line of `git status --porcelain`: two letters, a path, and the earlier path of a renamed or copied file. */
interface Change {
  readonly letters: string;
  readonly path: string;
  readonly from?: string;
}

/** The changes in the output of `git status --porcelain=v1 -z`, split at NUL. */
export function changesIn(fields: readonly string[]): Change[] {
  const changes: Change[] = [];
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at] ?? "";
    const [letters, path] = [field.slice(0, 2), field.slice(3)];
    const from = /[RC]/.test(letters) ? fields[++at] : undefined;
    changes.push({ letters, path, ...(from === undefined ? {} : { from }) });
  }
  return changes;
}

/** A change without its hidden names: a renamed file of which one name is hidden is deleted or added. Undefined if nothing is left. */
export function visibleChange(change: Change, isVisible: (path: string) => boolean): Change | undefined {
  const { letters, path, from } = change;
  if (from === undefined || isVisible(from)) {
    if (isVisible(path)) return change;
    if (from === undefined || !letters.includes("R")) return undefined;
    return {
      letters: letters
        .replace(/^[^R]/, " ")
        .replace(/(?<=R).$/, " ")
        .replace("R", "D"),
      path: from,
    };
  }
  return isVisible(path) ? { letters: letters.replace(/[RC]/, "A"), path } : undefined;
}

/** The line that git prints for a change. */
export function statusLine({ letters, path, from }: Change): string {
  return `${letters} ${from === undefined ? "" : `${quoted(from)} -> `}${quoted(path)}\n`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ "\x07": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", '"': '"', "\\": "\\" },
};

/** Quotes a path as git does with `core.quotePath=false`. */
function quoted(path: string): string {
  if (!/[\0-\x20\x7f"\\]/.test(path)) return path;
  const escaped = path.replace(/[\0-\x1f\x7f"\\]/g, (character) => {
    return `\\${ESCAPES[character] ?? character.charCodeAt(0).toString(8).padStart(3, "0")}`;
  });
  return `"${escaped}"`;
}
