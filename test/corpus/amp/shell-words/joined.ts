export const joined = (words: readonly string[]): string => words.join(' | ')
