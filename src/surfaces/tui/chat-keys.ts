import { isKeyRelease, matchesKey, type TuiInputListenerResult } from "@earendil-works/pi-tui";

/** What keys of the chat do, and what decides about them. */
export interface KeyActions {
  /** Whether a component of a tool file gets all keys. */
  readonly isGrabbed: boolean;
  readonly hasPanel: boolean;
  readonly isCompleting: boolean;
  readonly isRunning: boolean;
  readonly hasText: boolean;
  /** Whether Ctrl-C was pressed a moment ago: the next one leaves. */
  readonly isLeaving: boolean;
  stop(): void;
  clearText(): void;
  warnLeave(): void;
  leave(): void;
  toggleExpanded(): void;
  toggleThinking(): void;
  nextMode(): void;
  suspend(): void;
  redraw(): void;
}

/** Handles the keys that work wherever the cursor is. Undefined: the key goes to the input or to the panel. */
export function handleKey(data: string, chat: KeyActions): TuiInputListenerResult {
  if (isKeyRelease(data) || chat.isGrabbed) return undefined;
  const key = KEYS.find(({ name }) => matchesKey(data, name));
  if (!key || key.when?.(chat) === false) return undefined;
  key.act(chat);
  return { consume: true };
}

interface ChatKey {
  readonly name: Parameters<typeof matchesKey>[1];
  /** Whether the chat uses the key now; always if left out. */
  readonly when?: (chat: KeyActions) => boolean;
  readonly act: (chat: KeyActions) => void;
}

const KEYS: readonly ChatKey[] = [
  { name: "ctrl+c", act: interrupt },
  // Panels and completions close with Escape themselves.
  {
    name: "escape",
    when: ({ hasPanel, isCompleting, isRunning }) => !hasPanel && !isCompleting && isRunning,
    act: (chat) => chat.stop(),
  },
  { name: "ctrl+d", when: ({ hasPanel, hasText }) => !hasPanel && !hasText, act: (chat) => chat.leave() },
  { name: "ctrl+o", act: (chat) => chat.toggleExpanded() },
  { name: "ctrl+t", act: (chat) => chat.toggleThinking() },
  { name: "shift+tab", when: ({ hasPanel }) => !hasPanel, act: (chat) => chat.nextMode() },
  { name: "ctrl+z", act: (chat) => chat.suspend() },
  { name: "ctrl+l", act: (chat) => chat.redraw() },
];

function interrupt(chat: KeyActions): void {
  if (chat.isLeaving) return chat.leave();
  if (chat.hasText && !chat.hasPanel) chat.clearText();
  chat.warnLeave();
}
