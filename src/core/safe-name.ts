/** An id as the name of a file or a folder: ids may hold anything, and be of any length. Two ids never share a name by likeness. */
export function safeName(id: string): string {
  const safe = id.slice(0, 92).replace(/[^A-Za-z0-9_-]/g, "_") || "_";
  return safe === id ? id : `${safe}-${hash(id)}`;
}

/** FNV-1a: tells ids apart that look alike. Whoever makes ids up to collide only reads what is the user's own. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value >>> 0).toString(36);
}
