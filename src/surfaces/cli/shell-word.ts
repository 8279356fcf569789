/** Quotes a text as one word for the user's shell. */
export function shellWord(text: string): string {
  return text === "" || /[^\w@%+=:,./-]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : text;
}
