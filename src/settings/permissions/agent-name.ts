/** Names of most agents. */
const PLAIN = /^[a-z0-9_.:/*?-]*$/;
/** Characters that are not shown: control characters, and those of no width. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Spaces of any width and number. The blank of braille is not one to Unicode. */
const SPACES = /[\t\n\v\f\r\p{Z}\u2800]+/gu;

/**
 * The form in which names of agents, and patterns for them, are compared: callers choose their names, so spellings that look alike
 * must not pass a rule. Letters of different scripts stay different.
 */
export function agentKey(name: string): string {
  if (PLAIN.test(name)) return name;
  const folded = name.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");
  return folded.replace(SPACES, " ").replace(HIDDEN, "").replace(SPACES, " ").trim();
}
