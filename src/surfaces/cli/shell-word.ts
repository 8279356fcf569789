/** One word for the user's shell, whatever is in it. */
export function shellWord(text: string): string {
  return text === "" || /[^\w@%+=:,./-]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : text;
}
