/** Clients cut long texts, or send them to their model with every request. */
const MAX_NAMES = 50;
const MAX_CHARACTERS = 1_000;

/** Names in one line of limited length. */
export function listNames(names: readonly string[]): string {
  const shown: string[] = [];
  let characters = 0;
  for (const name of names.slice(0, MAX_NAMES)) {
    characters += name.length + 2;
    if (characters > MAX_CHARACTERS) break;
    shown.push(name);
  }
  const more = names.length - shown.length;
  return more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${more} more`;
}
