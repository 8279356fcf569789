import type { ReactElement } from "react";
import { modKey } from "../shortcuts.ts";

/** The keys of a shortcut as `useShortcuts` names them: `"g t"`, `"mod+Enter"`. A hint for the eye only. */
export function Keys({ of: shortcut }: { readonly of: string }): ReactElement {
  return (
    <span className="keys" aria-hidden="true">
      {shortcut.split(/[ +]/).map((key) => (
        <kbd key={key}>{SIGNS[key] ?? (key === "mod" ? modKey() : key)}</kbd>
      ))}
    </span>
  );
}

const SIGNS: Readonly<Record<string, string>> = { Enter: "↵", Escape: "Esc", ArrowUp: "↑", ArrowDown: "↓" };
