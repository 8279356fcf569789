/** An id as the name of a file or a folder: ids may hold anything, and be of any length. */
export function safeName(id: string): string {
  return id.slice(0, 100).replace(/[^A-Za-z0-9_-]/g, "_") || "_";
}
