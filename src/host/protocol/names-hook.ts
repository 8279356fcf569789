import { readWithImports } from "./relative-imports.ts";

/** How clearly a text names a hook: "registers" if it seems to register one, "names" if a word of it is the name of one. */
type HookMention = "registers" | "names";

/** The hooks of OpenCode 1 and 2, of Copilot and of OpenClaw. `command.execute.before` is no hook around calls. */
const OWN_NAME =
  /tool\.execute\.|(?<![\w.])execute\.(?:before|after)(?!\w)|(?<!\w)on(?:Pre|Post)ToolUse(?:Failure)?(?!\w)|(?<!\w)(?:(?:before|after)_tool_call|registerTrustedToolPolicy)(?!\w)/;

/**
 * The hooks of pi and oh-my-pi, which are also the names of messages of models, and those of Amp. `tool_calls` and `tool_call_id`
 * are other words, and `tool.call` is one only in quotes.
 */
const SHARED_NAME = /(?<!\w)tool_(?:call|result)(?!\w)|["'`]tool\.(?:call|result)["'`]/;

/** A call of `on()` with such a name. */
const REGISTRATION = /(?<!\w)on\s{0,99}(?:\?\.)?(?:<[^>]{0,99}>\s{0,99})?\(\s*["'`]tool[_.](?:call|result)["'`]/;

/** A call of `on()` whose event is not a literal. */
const COMPUTED_EVENT = /(?<!\w)on\s{0,99}(?:\?\.)?(?:<[^>]{0,99}>\s{0,99})?\(\s*[\w$]/;

/**
 * Whether the text of a file, or of a file whose relative path it contains, names a hook around calls. Computed names and
 * computed paths are not found. Runs no code. A file whose text may not be read counts as one that names a hook.
 */
export function mentionsHook(file: string): HookMention | undefined {
  let isNamed = false;
  let isComputed = false;
  for (const { text = UNREADABLE } of readWithImports(file)) {
    if (REGISTRATION.test(text) || OWN_NAME.test(text)) return "registers";
    isNamed ||= SHARED_NAME.test(text);
    isComputed ||= COMPUTED_EVENT.test(text);
  }
  if (!isNamed) return undefined;
  return isComputed ? "registers" : "names";
}

/** What may not be read may register a hook. */
const UNREADABLE = 'on("tool_call")';
