/** A piece of text in one style of a terminal. Colors are CSS colors. */
export interface AnsiSpan {
  readonly text: string;
  readonly color?: string;
  readonly background?: string;
  readonly bold?: true;
  readonly dim?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly inverse?: true;
  readonly strike?: true;
}

type Style = Omit<AnsiSpan, "text">;

/** Every escape sequence: colors (captured), cursor movements, titles and links, single characters. */
const ESCAPE =
  /\u001b\[([0-9;:]*)m|\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]P^_X][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]|\u001b/g;

/** Splits text with escape sequences. Sequences that do not set a style are dropped. */
export function parseAnsi(text: string): AnsiSpan[] {
  const spans: AnsiSpan[] = [];
  let style: Style = {};
  let end = 0;
  const add = (until: number): void => {
    if (until > end) spans.push({ text: text.slice(end, until), ...style });
  };
  for (const match of text.matchAll(ESCAPE)) {
    add(match.index);
    end = match.index + match[0].length;
    if (match[1] !== undefined) style = applyCodes(style, match[1]);
  }
  add(text.length);
  return spans;
}

export function hasAnsi(text: string): boolean {
  return text.includes("\u001b");
}

function applyCodes(before: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map((code) => Number(code || 0));
  let style: Style = before;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const { color, used } = extendedColor(codes.slice(at + 1));
      at += used;
      if (color) style = { ...style, [code === 38 ? "color" : "background"]: color };
    } else style = applyCode(style, code);
  }
  return style;
}

const SWITCHES: Readonly<Record<number, Style>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
};

const RESETS: Readonly<Record<number, readonly (keyof Style)[]>> = {
  22: ["bold", "dim"],
  23: ["italic"],
  24: ["underline"],
  27: ["inverse"],
  29: ["strike"],
  39: ["color"],
  49: ["background"],
};

function applyCode(style: Style, code: number): Style {
  if (code === 0) return {};
  const added = SWITCHES[code];
  if (added) return { ...style, ...added };
  const removed = RESETS[code];
  if (removed)
    return Object.fromEntries(Object.entries(style).filter(([key]) => !removed.includes(key as keyof Style)));
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) return { ...style, color: named(code % 10) };
  if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) return { ...style, background: named(code % 10) };
  return style;
}

function extendedColor([kind, ...values]: readonly number[]): { color?: string; used: number } {
  if (kind === 5) return { color: indexed(values[0] ?? 0), used: 2 };
  if (kind !== 2) return { used: 1 };
  const [red = 0, green = 0, blue = 0] = values.map((value) => Math.min(255, value));
  return { color: `rgb(${red} ${green} ${blue})`, used: 4 };
}

/** One of the 256 colors: 16 of the theme, a cube of 6 × 6 × 6, and 24 grays. */
function indexed(index: number): string {
  if (index < 16) return named(index % 8);
  if (index >= 232) return gray(8 + (Math.min(index, 255) - 232) * 10);
  const level = (value: number): number => (value === 0 ? 0 : 55 + value * 40);
  const cube = index - 16;
  return `rgb(${level(Math.floor(cube / 36))} ${level(Math.floor(cube / 6) % 6)} ${level(cube % 6)})`;
}

/** The style sheets define them for light and dark. */
function named(index: number): string {
  return `var(--ansi-${index})`;
}

function gray(level: number): string {
  return `rgb(${level} ${level} ${level})`;
}
