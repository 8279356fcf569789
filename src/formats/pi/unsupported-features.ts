import type { Registrations } from "./registrations.ts";
import { DELIVERED_EVENTS } from "./session-events.ts";

/** What a file has registered or uses, and what has no effect here, a sentence each. */
export function unsupportedFeatures(source: string, registrations?: Registrations): string[] {
  const unused = [...(registrations?.ignored ?? [])].map(([member, names]) => unusedSentence(member, [...names]));
  const untold = registrations?.events.filter((event) => !DELIVERED_EVENTS.has(event)) ?? [];
  return [
    ...unused,
    ...(untold.length > 0 ? [`It listens to ${quoted(untold)}, which only an agent of its own kind tells of.`] : []),
    ...MENTIONED.filter(({ pattern }) => pattern.test(source)).map(({ sentence }) => sentence),
  ];
}

const WORDS: Readonly<Record<string, string>> = {
  registerCommand: "Its commands",
  registerShortcut: "Its keyboard shortcuts",
  registerFlag: "Its flags of the command line",
  registerProvider: "Its model providers",
  registerMessageRenderer: "Its renderers of messages",
  registerEntryRenderer: "Its renderers of entries",
};

function unusedSentence(member: string, names: readonly string[]): string {
  if (member === "registerTool") {
    return `Its versions of pi's own tools (${quoted(names)}) are not served: they go on to those of pi, which are not here.`;
  }
  const what = WORDS[member] ?? `What it gives to ${member}()`;
  return `${what} (${quoted(names)}) have no effect here: Toolwright serves tools, and hooks around their calls.`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

const MENTIONED: readonly { pattern: RegExp; sentence: string }[] = [
  { pattern: /\.custom\s*[<(]/, sentence: "ui.custom() shows nothing and answers undefined: components stay in pi." },
  {
    pattern: /\.set(?:Footer|Header|EditorComponent)\s*\(/,
    sentence: "Its own footer, header or editor is not shown.",
  },
  { pattern: /\bctx\.compact\s*\(/, sentence: "ctx.compact() does nothing: the agent keeps its own context." },
  { pattern: /\bctx\.shutdown\s*\(/, sentence: "ctx.shutdown() does nothing." },
  { pattern: /\.setModel\s*\(/, sentence: "setModel() changes nothing and answers false." },
  { pattern: /\.setThinkingLevel\s*\(/, sentence: "setThinkingLevel() changes nothing." },
  {
    pattern: /\.(?:newSession|switchSession|navigateTree|fork)\s*\(/,
    sentence: "It cannot start, switch or fork sessions.",
  },
];
