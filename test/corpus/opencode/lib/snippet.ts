export interface Snippet {
  name: string
  text: string
}

export const render = (snippet: Snippet, values: Record<string, string>): string =>
  snippet.text.trim().replace(/\$\((\w+)\)/g, (all, key) => values[key] ?? all)
