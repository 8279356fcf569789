import { readStored, writeStored } from "./stored.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "theme";

export function storedTheme(): Theme {
  const stored = readStored(KEY);
  return THEMES.find((theme) => theme === stored) ?? "system";
}

/** The style sheets follow `prefers-color-scheme` unless the root element has the attribute. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  writeStored(KEY, theme === "system" ? undefined : theme);
}
