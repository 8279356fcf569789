type Style = (text: string) => string;

type Symbols<Known extends string> = Readonly<Record<Known, string>> & Readonly<Record<string, string>>;

/** A theme for renderers: the methods of pi's themes, and the symbols of oh-my-pi's themes. */
export interface Theme {
  readonly name: string;
  fg(color: string, text: string): string;
  bg(color: string, text: string): string;
  bold(text: string): string;
  italic(text: string): string;
  underline(text: string): string;
  inverse(text: string): string;
  strikethrough(text: string): string;
  dim(text: string): string;
  getFgAnsi(color: string): string;
  getBgAnsi(color: string): string;
  getColorMode(): "truecolor" | "256color";
  getThinkingBorderColor(level: string): Style;
  getBashModeBorderColor(): Style;
  readonly isLight: boolean;
  readonly status: Symbols<"success" | "error" | "warning" | "info" | "pending" | "running" | "aborted">;
  readonly tree: Symbols<"branch" | "last" | "vertical" | "horizontal" | "hook">;
  readonly format: Symbols<"bullet" | "dash" | "bracketLeft" | "bracketRight">;
  readonly sep: Symbols<"dot" | "slash" | "pipe">;
  readonly icon: Symbols<never>;
  readonly spinnerFrames: readonly string[];
  symbol(key: string): string;
  styledSymbol(key: string, color: string): string;
  readonly [member: string]: unknown;
}

/** A theme with the 16 ANSI colors, or without colors. */
export function createTheme(color: boolean): Theme {
  const wrap = (open: number | undefined, close: number, text: string): string =>
    color && open !== undefined && text !== "" ? `\x1b[${open}m${text}\x1b[${close}m` : String(text);
  const ansi = (code: number | undefined): string => (color && code !== undefined ? `\x1b[${code}m` : "");
  const fg = (name: string, text: string): string => wrap(FOREGROUND[name], 39, text);
  const symbol = (key: string): string => {
    const [group = "", name = ""] = key.split(".");
    return SYMBOLS[group]?.[name] ?? "";
  };
  return {
    name: "toolwright",
    fg,
    bg: (name, text) => wrap(BACKGROUND[name], 49, text),
    bold: (text) => wrap(1, 22, text),
    dim: (text) => wrap(2, 22, text),
    italic: (text) => wrap(3, 23, text),
    underline: (text) => wrap(4, 24, text),
    inverse: (text) => wrap(7, 27, text),
    strikethrough: (text) => wrap(9, 29, text),
    getFgAnsi: (name) => ansi(FOREGROUND[name] ?? 39),
    getBgAnsi: (name) => ansi(BACKGROUND[name] ?? 49),
    getColorMode: () => "256color",
    getThinkingBorderColor: () => (text) => fg("borderMuted", text),
    getBashModeBorderColor: () => (text) => fg("bashMode", text),
    getPythonModeBorderColor: () => (text: string) => fg("bashMode", text),
    isLight: false,
    ...groups(),
    spinnerFrames: SPINNER_FRAMES,
    getSpinnerFrames: () => SPINNER_FRAMES,
    getSymbolPreset: () => "unicode",
    getLangIcon: () => "",
    symbol,
    styledSymbol: (key, name) => fg(name, symbol(key)),
  };
}

type Groups = Pick<Theme, "status" | "tree" | "format" | "sep" | "icon">;

/** An unknown symbol of a group is an empty string. */
function groups(): Groups {
  const all = Object.entries(SYMBOLS).map(([group, symbols]) => [
    group,
    new Proxy(symbols, { get: (target, key) => (typeof key === "string" ? (target[key] ?? "") : undefined) }),
  ]);
  return Object.fromEntries(all) as Groups;
}

const CYAN = 36;
const GREY = 90;

/** ANSI codes by color name of pi. Colors of normal text have none. */
const FOREGROUND: Readonly<Record<string, number>> = {
  accent: CYAN,
  border: 34,
  borderAccent: CYAN,
  borderMuted: GREY,
  success: 32,
  error: 31,
  warning: 33,
  muted: GREY,
  dim: GREY,
  thinkingText: GREY,
  customMessageLabel: 35,
  toolOutput: GREY,
  mdHeading: 33,
  mdLink: 34,
  mdLinkUrl: GREY,
  mdCode: CYAN,
  mdCodeBlock: 32,
  mdCodeBlockBorder: GREY,
  mdQuote: GREY,
  mdQuoteBorder: GREY,
  mdHr: GREY,
  mdListBullet: CYAN,
  toolDiffAdded: 32,
  toolDiffRemoved: 31,
  toolDiffContext: GREY,
  syntaxComment: GREY,
  syntaxKeyword: 34,
  syntaxFunction: 33,
  syntaxVariable: CYAN,
  syntaxString: 32,
  syntaxNumber: 35,
  syntaxType: CYAN,
  bashMode: 32,
};

const BACKGROUND: Readonly<Record<string, number>> = {
  selectedBg: 100,
  userMessageBg: 100,
  customMessageBg: 45,
  toolPendingBg: 100,
  toolSuccessBg: 42,
  toolErrorBg: 41,
};

const box = (corners: string): Readonly<Record<string, string>> => {
  const [topLeft = "", topRight = "", bottomLeft = "", bottomRight = ""] = corners;
  const tees = { cross: "┼", teeDown: "┬", teeUp: "┴", teeRight: "├", teeLeft: "┤" };
  return { topLeft, topRight, bottomLeft, bottomRight, horizontal: "─", vertical: "│", ...tees };
};

/** The symbols of oh-my-pi's themes, by group. */
const SYMBOLS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  status: {
    success: "✓",
    error: "✗",
    warning: "⚠",
    info: "ℹ",
    pending: "○",
    running: "◐",
    enabled: "●",
    disabled: "○",
    shadowed: "◌",
    aborted: "■",
  },
  nav: { cursor: "❯", selected: "➤", expand: "▸", collapse: "▾", back: "←" },
  tree: { branch: "├─", last: "└─", vertical: "│", horizontal: "─", hook: "└" },
  boxRound: box("╭╮╰╯"),
  boxSharp: box("┌┐└┘"),
  sep: { dot: " · ", slash: " / ", pipe: " | ", block: "█", space: " " },
  checkbox: { checked: "☑", unchecked: "☐" },
  radio: { selected: "◉", unselected: "○" },
  format: { bullet: "•", dash: "–", bracketLeft: "[", bracketRight: "]" },
  md: { quoteBorder: "│", hrChar: "─", bullet: "•", colorSwatch: "■" },
  icon: {},
  thinking: {},
};

const SPINNER_FRAMES: readonly string[] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
