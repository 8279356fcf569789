import { useEffect, useEffectEvent, useState } from "react";

interface PendingMessage {
  /** The message that is sent when the turn ends; undefined if there is none. */
  readonly text: string | undefined;
  readonly set: (text: string | undefined) => void;
}

/** A message that was written while a turn runs. This tab keeps it, also if it is reloaded, and sends it when the turn ends well. */
export function usePendingMessage(
  sessionID: string,
  { isDue, send }: { readonly isDue: boolean; readonly send: (text: string) => void },
): PendingMessage {
  const key = `toolwright:pending:${sessionID}`;
  const [text, setText] = useState(() => read(key));
  const set = (next: string | undefined): void => {
    setText(next);
    write(key, next);
  };
  const deliver = useEffectEvent(() => {
    if (text === undefined) return;
    set(undefined);
    send(text);
  });
  useEffect(() => {
    if (isDue) deliver();
  }, [isDue]);
  return { text, set };
}

function read(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Does nothing if the browser forbids storage. */
function write(key: string, text: string | undefined): void {
  try {
    if (text === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // The message lasts until the page is closed.
  }
}
