/** A part of a Markdown text that is rendered on its own. */
export interface MarkdownBlock {
  /** Where it begins in the text: its key. */
  readonly start: number;
  /** "code" is a fenced code block; its `text` is the code. "plain" would take too long to parse. */
  readonly kind: "markdown" | "code" | "plain";
  readonly text: string;
  /** The first word after the fence. */
  readonly language: string;
  /** The time that it takes to parse, compared to that of a letter. */
  readonly cost: number;
  /** The addresses of links that this text defines. */
  readonly definitions: readonly { readonly label: string; readonly line: string }[];
}

/** The blocks of a text, and what is needed to go on when the text grows. */
export interface SplitText {
  readonly text: string;
  readonly blocks: readonly MarkdownBlock[];
}

/** A list with more lines than this is split between its items, so that little is parsed again while it grows. */
const MAX_LIST_LINES = 50;
/** Of definitions of link addresses. */
const MAX_DEFINITIONS = 50;
/** The cost of all blocks. The rest of the text is not parsed. */
const MAX_COST = 100_000;
/** Blocks that are shorter together are parsed together. */
const SHORT_TEXT = 1_500;
/** The cost of a block that is not parsed. */
const BLOCK_COST = 50;

/**
 * Splits a text into blocks, so that only the last blocks are parsed again when the text has grown. Give it the result for the
 * text before. The result does not depend on it.
 */
export function splitMarkdown(text: string, before?: SplitText): SplitText {
  const kept = before && text.startsWith(before.text) ? settledBlocks(before) : [];
  const start = kept.length > 0 ? (before?.blocks[kept.length]?.start ?? 0) : 0;
  return { text, blocks: [...kept, ...scan(text, start)] };
}

/**
 * The blocks as they are rendered: short ones together, since each costs time; a link by reference gets its definition, which may stand in another block, and the rest of a
 * very long text is one plain block.
 */
export function toRender({ text, blocks }: SplitText): readonly MarkdownBlock[] {
  const definitions = blocks.flatMap((block) => block.definitions).slice(0, MAX_DEFINITIONS);
  const rendered: MarkdownBlock[] = [];
  let cost = 0;
  for (const block of blocks) {
    cost += block.cost;
    if (cost > MAX_COST) {
      rendered.push({ ...block, kind: "plain", text: text.slice(block.start) });
      break;
    }
    const last = rendered.at(-1);
    const isShort = last?.kind === "markdown" && last.text.length + block.text.length < SHORT_TEXT;
    if (isShort && block.kind === "markdown")
      rendered.splice(-1, 1, { ...last, text: `${last.text}\n\n${block.text}` });
    else rendered.push(block);
  }
  return rendered.map((block) => (block.kind === "markdown" ? withDefinitions(block, definitions) : block));
}

function withDefinitions(block: MarkdownBlock, definitions: MarkdownBlock["definitions"]): MarkdownBlock {
  const needed = definitions.filter(
    ({ label, line }) => block.text.includes(`[${label}]`) && !block.text.includes(line),
  );
  return { ...block, text: [escapeFootnotes(block.text), ...needed.map(({ line }) => line)].join("\n\n") };
}

/** The last line may be incomplete, and may then turn out to belong to the block before. */
function settledBlocks({ text, blocks }: SplitText): readonly MarkdownBlock[] {
  const last = blocks.at(-1);
  return blocks.slice(0, last && text.indexOf("\n", last.start) === -1 ? -2 : -1);
}

interface Open {
  readonly start: number;
  readonly lines: string[];
  readonly shape: "code" | "list" | "indented" | "other";
  /** Of the fence that is open within the block. */
  fence: string;
  readonly language: string;
  closed: boolean;
}

function scan(text: string, from: number): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let open: Open | undefined;
  let afterBlank = true;
  const finish = (): void => {
    if (open) blocks.push(toBlock(open));
    open = undefined;
  };
  for (let at = from; at < text.length; ) {
    const end = text.indexOf("\n", at);
    const next = end === -1 ? text.length : end + 1;
    const line = text.slice(at, end === -1 ? text.length : end).replace(/\r$/, "");
    if (open && !endsBefore(open, line, afterBlank)) addLine(open, line);
    else if (line.trim() !== "") {
      finish();
      open = begin(at, line);
    }
    if (open?.closed) finish();
    afterBlank = line.trim() === "";
    at = next;
  }
  finish();
  return blocks;
}

const FENCE = /^( *)(`{3,}(?=[^`]*$)|~{3,})\s*(\S*)/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const LIST_ITEM = /^ {0,3}(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)/;

function begin(start: number, line: string): Open {
  const [, indent = "", fence = "", language = ""] = FENCE.exec(line) ?? [];
  if (fence !== "" && indent.length <= 3) return { start, closed: false, lines: [], shape: "code", fence, language };
  const base = { start, closed: false, language: "" };
  if (LIST_ITEM.test(line)) return { ...base, lines: [line], shape: "list", fence: fenceInItem(line) };
  return { ...base, lines: [line], shape: /^(?: {4}|\t)/.test(line) ? "indented" : "other", fence: "" };
}

/** Whether the line begins another block. */
function endsBefore({ shape, fence, lines }: Open, line: string, afterBlank: boolean): boolean {
  if (shape === "code" || line.trim() === "") return false;
  const isInner = /^(?: {2}|\t)/.test(line);
  if (shape === "list") {
    if (fence !== "") return !/^\s/.test(line);
    if (isInner) return false;
    if (LIST_ITEM.test(line)) return lines.length > MAX_LIST_LINES;
    return afterBlank || FENCE.test(line);
  }
  if (shape === "indented") return !/^(?: {4}|\t)/.test(line);
  return afterBlank || HEADING.test(line) || (FENCE.exec(line)?.[1]?.length ?? 4) <= 3;
}

function addLine(open: Open, line: string): void {
  if (open.fence !== "") {
    const mark = line.trim();
    const closes = mark.length >= open.fence.length && mark === open.fence.charAt(0).repeat(mark.length);
    if (!closes) open.lines.push(line);
    else if (open.shape === "code") open.closed = true;
    else {
      open.lines.push(line);
      open.fence = "";
    }
    return;
  }
  open.lines.push(line);
  if (open.shape === "list") open.fence = fenceInItem(line);
}

function fenceInItem(line: string): string {
  return FENCE.exec(line.replace(/^ *(?:[-+*]|\d{1,9}[.)])[ \t]+/, ""))?.[2] ?? "";
}

function toBlock({ start, lines, shape, language }: Open): MarkdownBlock {
  const code = lines.join("\n");
  if (shape === "code") {
    const cost = BLOCK_COST + code.length / 20;
    return { start, kind: "code", text: code, language, cost, definitions: [] };
  }
  const text = code.trimEnd();
  const markup = text.match(/[[\]*_~`<>&|\\!@#:]/g)?.length ?? 0;
  const kind = isExpensive(text, markup) ? "plain" : "markdown";
  const cost = kind === "plain" ? BLOCK_COST + text.length / 20 : text.length + 10 * markup + 15 * lines.length;
  return { start, kind, text, language, cost, definitions: kind === "plain" ? [] : definitionsIn(text) };
}

function definitionsIn(text: string): MarkdownBlock["definitions"] {
  if (!text.includes("]:")) return [];
  const found = text.matchAll(/^ {0,3}\[([^\]^[\n]{1,200})\]:[ \t]*\S.{0,2000}$/gm);
  return [...found].map(([line, label = ""]) => ({ label, line }));
}

/** The definition of a footnote and its uses are in different blocks: they are shown as they were written. */
function escapeFootnotes(text: string): string {
  return text.includes("[^") ? text.replace(/^( {0,3})\[\^/gm, "$1\\[^") : text;
}

/** A parser takes seconds for some short texts, or overflows its stack. The limits are far above what people and models write. */
function isExpensive(text: string, markup: number): boolean {
  return (
    text.length > 20_000 ||
    markup > 1_500 ||
    (text.match(/[[\]*_~`]/g)?.length ?? 0) > 800 ||
    (text.match(/\n/g)?.length ?? 0) > 600 ||
    // Deep quotes and lists, on one line or by indentation.
    /^[ \t]*(?:(?:>|[-+*]|\d{1,9}[.)])[ \t]*){12}/m.test(text) ||
    /^[ \t]{28,}(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])/m.test(text)
  );
}
