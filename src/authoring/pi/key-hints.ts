import { theme } from "./component-themes.ts";

/** The keys that hints name most. They belong to pi's terminal, and are shown as pi sets them. */
const KEYS: Readonly<Record<string, string>> = {
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
  // As they were called before they had names with dots.
  expandTools: "ctrl+o",
  interrupt: "escape",
  selectConfirm: "enter",
  selectCancel: "escape",
  submit: "enter",
};

/** The key that something is bound to; empty for what is not known here. */
export function keyText(keybinding: string): string {
  return KEYS[keybinding] ?? "";
}

/** Pi's way of saying which key does what. */
export function keyHint(keybinding: string, description: string): string {
  return rawKeyHint(keyText(keybinding), description);
}

export function rawKeyHint(key: string, description: string): string {
  return theme.fg("dim", key) + theme.fg("muted", ` ${description}`);
}
