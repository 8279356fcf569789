/** The fields between the `---` lines at the start of a file, and the rest of the file. */
interface Frontmatter<T> {
  frontmatter: T;
  body: string;
}

/** Supports `key: value` lines, lists and quoted strings, but no nested objects. */
export function parseFrontmatter<T extends Record<string, unknown> = Record<string, unknown>>(
  content: string,
): Frontmatter<T> {
  const text = content.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const found = /^---[ \t]*\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\n|$)/.exec(text);
  if (!found) return { frontmatter: {} as T, body: text };
  return { frontmatter: readFields(found[1] ?? "") as T, body: text.slice(found[0].length).trim() };
}

export function stripFrontmatter(content: string): string {
  return parseFrontmatter(content).body;
}

function readFields(head: string): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  let current: string | undefined;
  for (const line of head.split("\n")) {
    const item = /^\s*-\s+(.*)$/.exec(line);
    const field = /^([\w.-]+)\s*:\s*(.*)$/.exec(line);
    if (field) {
      current = field[1] as string;
      fields.set(current, readValue(field[2] ?? ""));
    } else if (item && current !== undefined) {
      const list = fields.get(current);
      fields.set(current, [...(Array.isArray(list) ? list : []), readValue(item[1] ?? "")]);
    }
  }
  return Object.fromEntries(fields);
}

function readValue(written: string): unknown {
  const text = written.trim();
  const quoted = /^(["'])(.*)\1$/.exec(text);
  if (quoted) return quoted[2];
  const list = /^\[(.*)\]$/.exec(text);
  if (list)
    return (list[1] ?? "")
      .split(",")
      .map(readValue)
      .filter((value) => value !== "");
  if (text === "true" || text === "false") return text === "true";
  return text !== "" && /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}
