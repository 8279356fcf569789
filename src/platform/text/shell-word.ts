/**
 * Quotes a text as one word for the user's shell. On Windows, double quotes are used, since cmd and PowerShell both accept
 * them; cmd still replaces `%NAME%` in them.
 */
export function shellWord(text: string, platform: string = process.platform): string {
  if (platform === "win32") {
    return text === "" || /[^\w@+=:,./\\-]/.test(text) ? `"${text.replace(/(\\*)(?:"|$)/g, quotedEnd)}"` : text;
  }
  return text === "" || /[^\w@%+=:,./-]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : text;
}

/** Programs on Windows read `\"` as a quote, and backslashes before a quote in pairs. */
function quotedEnd(found: string, backslashes: string): string {
  return backslashes + backslashes + (found.endsWith('"') ? '\\"' : "");
}

/** The command that moves a file into a folder, which it creates if necessary. */
export function moveCommand(file: string, folder: string, platform: string = process.platform): string {
  const [from, to] = [shellWord(file, platform), shellWord(folder, platform)];
  if (platform === "win32") return `mkdir ${to} & move ${from} ${to}`;
  return `mkdir -p ${to} && mv ${from} ${to}/`;
}
