/** Editors that open a file from a link. */
export const EDITORS = ["vscode", "cursor", "zed", "windsurf", "idea", "none"] as const;
export type Editor = (typeof EDITORS)[number];

export const EDITOR_NAMES: Readonly<Record<Editor, string>> = {
  vscode: "VS Code",
  cursor: "Cursor",
  zed: "Zed",
  windsurf: "Windsurf",
  idea: "IntelliJ IDEA",
  none: "No editor",
};

/** The link that opens a file at a line. Undefined if no editor is chosen, or if the path is not absolute. */
export function editorUrl(editor: Editor, file: string, line = 1): string | undefined {
  if (editor === "none" || !/^(?:\/|[A-Za-z]:[\\/])/.test(file)) return undefined;
  const path = file
    .replaceAll("\\", "/")
    .split("/")
    .map(encodeURIComponent)
    .join("/")
    .replace(/^([A-Za-z])%3A/, "/$1:");
  if (editor === "idea") return `idea://open?file=${encodeURIComponent(file)}&line=${line}`;
  return `${editor}://file${path}:${line}`;
}

/** A path below a directory, without the directory. Other paths are left as they are. */
export function relativePath(file: string, directory: string): string {
  const base = directory.replace(/[\\/]+$/, "");
  return base !== "" && (file.startsWith(`${base}/`) || file.startsWith(`${base}\\`))
    ? file.slice(base.length + 1)
    : file;
}
