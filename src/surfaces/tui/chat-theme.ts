import type { EditorTheme, MarkdownTheme, SelectListTheme } from "@earendil-works/pi-tui";

/** Marks a text. The text must be safe: see `safe-text.ts`. */
export type TextStyle = (text: string) => string;

/** The styles of the chat. It uses the 16 colours of the terminal, which its user has chosen to be readable. */
export interface ChatTheme {
  readonly color: boolean;
  readonly bold: TextStyle;
  readonly dim: TextStyle;
  readonly italic: TextStyle;
  readonly underline: TextStyle;
  readonly accent: TextStyle;
  readonly success: TextStyle;
  readonly warning: TextStyle;
  readonly error: TextStyle;
  /** Without highlighting of code. */
  readonly markdown: MarkdownTheme;
  readonly editor: EditorTheme;
  readonly select: SelectListTheme;
}

/**
 * Without colour, all styles return their text unchanged. Components of pi-tui still write a few sequences themselves: the
 * cursor of `Editor` and `Input`, resets in cut lines and in tables of `Markdown`. `withoutStyles` removes them.
 */
export function createChatTheme({ color }: { readonly color: boolean }): ChatTheme {
  const style = (open: number, close: number): TextStyle =>
    color ? (text) => (text === "" ? "" : `\x1b[${open}m${text}\x1b[${close}m`) : (text) => text;
  const [bold, dim, italic, underline] = [style(1, 22), style(2, 22), style(3, 23), style(4, 24)];
  const [error, success, warning, accent] = [style(31, 39), style(32, 39), style(33, 39), style(36, 39)];
  const plain: TextStyle = (text) => text;
  const select: SelectListTheme = {
    selectedPrefix: accent,
    selectedText: (text) => accent(bold(text)),
    description: dim,
    scrollInfo: dim,
    noMatch: dim,
  };
  const markdown: MarkdownTheme = {
    heading: accent,
    link: accent,
    linkUrl: dim,
    code: accent,
    codeBlock: plain,
    codeBlockBorder: dim,
    quote: plain,
    quoteBorder: dim,
    hr: dim,
    listBullet: accent,
    bold,
    italic,
    strikethrough: style(9, 29),
    underline,
  };
  const editor = { borderColor: dim, selectList: select };
  return { color, bold, dim, italic, underline, accent, success, warning, error, markdown, editor, select };
}

/** A rendered line without SGR sequences. */
export function withoutStyles(line: string): string {
  return line.includes("\x1b[") ? line.replace(/\x1b\[[\d;]*m/g, "") : line;
}
