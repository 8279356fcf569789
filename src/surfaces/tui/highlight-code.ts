import type { ChatTheme, TextStyle } from "./chat-theme.ts";
import type { Highlighter } from "./code-languages.mjs";

/** Larger code is not highlighted: it would take over 50 ms. */
const MAX_CODE = 100_000;

let highlighter: Highlighter | undefined;
let loading: Promise<boolean> | undefined;

/** Loads the highlighter, once in a process. Resolves to whether it could be loaded. Never rejects. */
export function loadHighlighter(): Promise<boolean> {
  loading ??= import("./code-languages.mjs").then(
    ({ createHighlighter }) => {
      highlighter = createHighlighter();
      return true;
    },
    () => false,
  );
  return loading;
}

/**
 * The lines of code, highlighted if `loadHighlighter` is done and the language is known. A style ends with its line. The code must
 * be safe text. Never throws.
 */
export function highlightLines(code: string, language: string | undefined, theme: ChatTheme): string[] {
  const name = language?.toLowerCase() ?? "";
  if (!theme.color || code.length > MAX_CODE || !highlighter?.getLanguage(name)) return code.split("\n");
  try {
    const { value } = highlighter.highlight(code, { language: name, ignoreIllegals: true });
    return toLines(value, theme);
  } catch {
    return code.split("\n");
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

/** The highlighter returns HTML: spans that may be nested and contain newlines, and five entities. */
function toLines(html: string, theme: ChatTheme): string[] {
  const lines = [""];
  const open: (TextStyle | undefined)[] = [];
  for (const [token, scope, entity] of html.matchAll(/<span class="([^"]*)">|<\/span>|&(#?\w+);|[^<&]+/g)) {
    if (scope !== undefined) open.push(styleOf(scope, theme));
    else if (token === "</span>") open.pop();
    else {
      const text = entity === undefined ? token : (ENTITIES[entity] ?? token);
      const style = open.findLast((each) => each !== undefined);
      text.split("\n").forEach((part, index) => {
        if (index > 0) lines.push("");
        lines[lines.length - 1] += style ? style(part) : part;
      });
    }
  }
  return lines;
}

function styleOf(scope: string, theme: ChatTheme): TextStyle | undefined {
  const [name = ""] = scope.split(" ");
  return STYLES.get(name.replace(/^hljs-/, ""))?.(theme);
}

const STYLES: ReadonlyMap<string, (theme: ChatTheme) => TextStyle> = new Map([
  ["keyword", ({ accent }) => accent],
  ["built_in", ({ accent }) => accent],
  ["tag", ({ accent }) => accent],
  ["name", ({ accent }) => accent],
  ["section", ({ accent }) => accent],
  ["selector-tag", ({ accent }) => accent],
  ["attr", ({ accent }) => accent],
  ["attribute", ({ accent }) => accent],
  ["string", ({ success }) => success],
  ["regexp", ({ success }) => success],
  ["addition", ({ success }) => success],
  ["number", ({ warning }) => warning],
  ["literal", ({ warning }) => warning],
  ["symbol", ({ warning }) => warning],
  ["type", ({ warning }) => warning],
  ["deletion", ({ error }) => error],
  ["comment", ({ dim }) => dim],
  ["quote", ({ dim }) => dim],
  ["meta", ({ dim }) => dim],
  ["title", ({ bold }) => bold],
  ["strong", ({ bold }) => bold],
  ["emphasis", ({ italic }) => italic],
  // Within a string, code is not a part of it.
  ["subst", () => (text) => text],
] satisfies [string, (theme: ChatTheme) => TextStyle][]);
