/** Names of most agents. */
const PLAIN = /^[a-z0-9_.:/*?-]*$/;
/** Characters that are not shown: control characters, and those of no width. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * The form in which names of agents, and patterns for them, are compared: callers choose their names, so spellings that look alike
 * must not pass a rule. Letters of different scripts stay different.
 */
export function agentKey(name: string): string {
  if (PLAIN.test(name)) return name;
  const folded = name.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");
  return folded.replace(HIDDEN, "").trim();
}
