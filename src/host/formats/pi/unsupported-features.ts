import { DELIVERED_EVENTS } from "./session-events.ts";

/** What a file registers, as far as it matters here. */
interface Registered {
  /** The names that were given to functions that have no effect. */
  readonly ignored: ReadonlyMap<string, ReadonlySet<string>>;
  readonly events: readonly string[];
}

/** One sentence for each feature that a file uses and that has no effect in Toolwright. */
export function unsupportedFeatures(source: string, registrations?: Registered): string[] {
  const unused = [...(registrations?.ignored ?? [])].map(([member, names]) => unusedSentence(member, [...names]));
  const unemitted = registrations?.events.filter((event) => !DELIVERED_EVENTS.has(event)) ?? [];
  return [
    ...unused,
    ...(unemitted.length > 0
      ? [`Its handlers of ${quoted(unemitted)} are never called: only pi and oh-my-pi emit these events.`]
      : []),
    ...UNSUPPORTED_CALLS.filter(({ pattern }) => pattern.test(source)).map(({ sentence }) => sentence),
  ];
}

const REGISTRATIONS: Readonly<Record<string, string>> = {
  registerShortcut: "Its keyboard shortcuts",
  registerFlag: "Its command-line flags",
  registerProvider: "Its model providers",
  registerMessageRenderer: "Its message renderers",
  registerEntryRenderer: "Its entry renderers",
};

function unusedSentence(member: string, names: readonly string[]): string {
  const what = REGISTRATIONS[member] ?? `Its registrations with ${member}()`;
  return `${what} (${quoted(names)}) have no effect: Toolwright serves tools, commands, and hooks around calls.`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

const UNSUPPORTED_CALLS: readonly { pattern: RegExp; sentence: string }[] = [
  { pattern: /\.setEditorComponent\s*\(/, sentence: "Its editor is not shown." },
  { pattern: /\bctx\.compact\s*\(/, sentence: "ctx.compact() does nothing: the agent manages its context." },
  { pattern: /\bctx\.shutdown\s*\(/, sentence: "ctx.shutdown() does nothing." },
  { pattern: /\.setModel\s*\(/, sentence: "setModel() changes nothing and returns false." },
  { pattern: /\.setThinkingLevel\s*\(/, sentence: "setThinkingLevel() changes nothing." },
  {
    pattern: /\.(?:newSession|switchSession|navigateTree|fork)\s*\(/,
    sentence: "It cannot start, switch or fork sessions.",
  },
];
