/** Converts an id, of any length and characters, to a file name. A changed name gets a hash of the id as suffix. */
export function safeName(id: string): string {
  const safe = id.slice(0, 92).replace(/[^A-Za-z0-9_-]/g, "_") || "_";
  return safe === id ? id : `${safe}-${hash(id)}`;
}

/** FNV-1a. Not cryptographic: a forced collision only reaches files of the same user. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value >>> 0).toString(36);
}
