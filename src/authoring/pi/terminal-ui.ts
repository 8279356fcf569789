import type { MarkdownTheme, SelectListTheme, SettingsListTheme } from "@earendil-works/pi-tui";
import { createTheme, type Theme } from "./theme.ts";

type Style = (text: string) => string;

/** Always in color. For a terminal without colors, the codes are removed from the rendered lines. */
export const theme: Theme = createTheme(true);

const inColor =
  (name: string): Style =>
  (text) =>
    theme.fg(name, text);

export function getMarkdownTheme(): MarkdownTheme {
  return {
    heading: inColor("mdHeading"),
    link: inColor("mdLink"),
    linkUrl: inColor("mdLinkUrl"),
    code: inColor("mdCode"),
    codeBlock: inColor("mdCodeBlock"),
    codeBlockBorder: inColor("mdCodeBlockBorder"),
    quote: inColor("mdQuote"),
    quoteBorder: inColor("mdQuoteBorder"),
    hr: inColor("mdHr"),
    listBullet: inColor("mdListBullet"),
    bold: theme.bold,
    italic: theme.italic,
    underline: theme.underline,
    strikethrough: theme.strikethrough,
    highlightCode,
  };
}

export function getSelectListTheme(): SelectListTheme {
  return {
    selectedPrefix: inColor("accent"),
    selectedText: inColor("accent"),
    description: inColor("muted"),
    scrollInfo: inColor("muted"),
    noMatch: inColor("muted"),
  };
}

export function getSettingsListTheme(): SettingsListTheme {
  return {
    label: (text, selected) => (selected ? theme.fg("accent", text) : text),
    value: (text, selected) => theme.fg(selected ? "accent" : "muted", text),
    description: inColor("dim"),
    cursor: theme.fg("accent", "→ "),
    hint: inColor("dim"),
  };
}

/** Colors all code alike, without syntax highlighting. */
export function highlightCode(code: string, _language?: string): string[] {
  return code.split("\n").map(inColor("mdCodeBlock"));
}

export function getLanguageFromPath(filePath: string): string | undefined {
  const extension = /\.([^./\\]+)$/.exec(filePath)?.[1]?.toLowerCase();
  return extension === undefined ? undefined : LANGUAGES[extension];
}

const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ ts: "typescript", tsx: "typescript", mts: "typescript", cts: "typescript" },
  ...{ js: "javascript", jsx: "javascript", mjs: "javascript", cjs: "javascript" },
  ...{ py: "python", rb: "ruby", rs: "rust", go: "go", java: "java", kt: "kotlin", swift: "swift", cs: "csharp" },
  ...{ c: "c", h: "c", cpp: "cpp", hpp: "cpp", cc: "cpp", php: "php", sql: "sql", lua: "lua" },
  ...{ sh: "bash", bash: "bash", zsh: "bash", ps1: "powershell" },
  ...{ json: "json", yaml: "yaml", yml: "yaml", toml: "toml", xml: "xml", html: "html", css: "css", md: "markdown" },
};

/** No effect: there is one theme. */
export function initTheme(): void {}

/** A horizontal line over the whole width. */
export class DynamicBorder {
  readonly #color: (text: string) => string;

  constructor(color: (text: string) => string = (text) => theme.fg("border", text)) {
    this.#color = color;
  }

  invalidate(): void {}

  render(width: number): string[] {
    return [this.#color("─".repeat(Math.max(1, width)))];
  }
}

/** Default key bindings of pi, as far as hints commonly name them. */
export const KEYS: Readonly<Record<string, string>> = {
  "app.tools.expand": "ctrl+o",
  "app.interrupt": "escape",
  "app.clear": "ctrl+c",
  "app.exit": "ctrl+d",
  "app.editor.external": "ctrl+g",
  "tui.select.confirm": "enter",
  "tui.select.cancel": "escape",
  "tui.select.up": "up",
  "tui.select.down": "down",
  "tui.input.submit": "enter",
  // Names in older versions of pi.
  expandTools: "ctrl+o",
  interrupt: "escape",
  selectConfirm: "enter",
  selectCancel: "escape",
  submit: "enter",
};

/** Empty for an unknown key binding. */
export function keyText(keybinding: string): string {
  return KEYS[keybinding] ?? "";
}

export function keyHint(keybinding: string, description: string): string {
  return rawKeyHint(keyText(keybinding), description);
}

export function rawKeyHint(key: string, description: string): string {
  return theme.fg("dim", key) + theme.fg("muted", ` ${description}`);
}
