import { useEffect, useEffectEvent } from "react";

/** Handlers by key. A handler that returns `false` leaves the key to the browser. Keys: `"/"`, `"j"`, `"Escape"`, `"g t"` for two keys in a row, `"mod+Enter"` with Ctrl or Cmd. */
type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => unknown>>;

const SEQUENCE_MS = 1000;

/** Calls handlers for keys. While a person types, only `Escape` and keys with `mod+` are heard; while a dialog or a menu is open, none. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const find = useEffectEvent((key: string) => (Object.hasOwn(shortcuts, key) ? shortcuts[key] : undefined));
  useEffect(() => {
    let first = { key: "", at: 0 };
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      const name = nameOf(event);
      if (name === undefined || (isTyping(event.target) && !/^(mod\+|Escape)/.test(name))) return;
      if (isModalOpen()) return;
      const isSecond = event.timeStamp - first.at < SEQUENCE_MS;
      const handler =
        (isSecond ? find(`${first.key} ${name}`) : undefined) ??
        (isSecond && first.key === "g" ? undefined : find(name));
      first = { key: name, at: event.timeStamp };
      if (!handler) return;
      first = { key: "", at: 0 };
      if (handler(event) !== false) event.preventDefault();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
}

/** Escape leaves a field if no shortcut uses it, so that other shortcuts can follow. On the window, it is heard after all shortcuts. */
export function useEscapeFromFields(): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing || isModalOpen()) return;
      if (isTyping(event.target)) event.target.blur();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

function isModalOpen(): boolean {
  return document.querySelector("dialog:modal, .menu:popover-open") !== null;
}

/** Undefined for combinations that belong to the browser. */
export function nameOf(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">): string | undefined {
  if (event.altKey) return undefined;
  return event.ctrlKey || event.metaKey ? `mod+${event.key}` : event.key;
}

function isTyping(target: EventTarget | null): target is HTMLElement {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** How this machine names the key of `mod+`. */
export function modKey(): string {
  return /mac|iphone|ipad/i.test(navigator.platform) ? "⌘" : "Ctrl";
}
