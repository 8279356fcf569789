export function count(text: string): number {
  return text.split(/\s+/).filter(Boolean).length
}
