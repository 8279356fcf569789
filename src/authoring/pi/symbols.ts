const box = (corners: string): Readonly<Record<string, string>> => {
  const [topLeft = "", topRight = "", bottomLeft = "", bottomRight = ""] = corners;
  const tees = { cross: "┼", teeDown: "┬", teeUp: "┴", teeRight: "├", teeLeft: "┤" };
  return { topLeft, topRight, bottomLeft, bottomRight, horizontal: "─", vertical: "│", ...tees };
};

/** The signs that themes of oh-my-pi have, by group. What is not here is an empty text. */
export const SYMBOLS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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

export const SPINNER_FRAMES: readonly string[] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
