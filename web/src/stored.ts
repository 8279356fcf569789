import { useCallback, useState } from "react";

const PREFIX = "toolwright:";

/** A JSON value of this browser. Undefined if there is none, or if the browser forbids storage. */
export function readStored(key: string): unknown {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `undefined` removes the value. Does nothing if the browser forbids storage or has no space. */
export function writeStored(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // The value lasts until the page is closed.
  }
}

/** Removes all values, such as inputs and drafts, from this browser. */
export function forgetStored(): void {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key);
    }
  } catch {
    // There is no storage.
  }
}

/** A state that this browser remembers. `choices` are its valid values, the first is the default. */
export function useStoredChoice<T extends string>(key: string, choices: readonly [T, ...T[]]): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => {
    const stored = readStored(key);
    return choices.find((choice) => choice === stored) ?? choices[0];
  });
  const set = useCallback(
    (next: T) => {
      setValue(next);
      writeStored(key, next);
    },
    [key],
  );
  return [value, set];
}
