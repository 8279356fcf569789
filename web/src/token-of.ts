/** The token in a text that was pasted: a URL with `?token=`, a header, or the token itself. Undefined if there is none. */
export function tokenOf(pasted: string): string | undefined {
  const text = pasted.trim().replace(/^["'`]|["'`]$/g, "");
  const inQuery = /[?&]token=([^&#\s"']+)/.exec(text)?.[1];
  if (inQuery !== undefined) return decode(inQuery);
  const token = text.replace(/^(?:authorization:\s*)?bearer\s+/i, "");
  return token === "" || /\s|^https?:/.test(token) ? undefined : token;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
