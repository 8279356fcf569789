import { readFileSync } from "node:fs";

/** One fenced block of a page. */
export interface Block {
  readonly language: string;
  readonly text: string;
  /** The number of its opening line. */
  readonly line: number;
  /** The file name in its first line: `// .toolwright/tools/lint.ts`. */
  readonly file?: string;
  /** The reason in the comment above it: `<!-- not run: reason -->`. */
  readonly notRun?: string;
}

/** One action of a reader, in page order. */
export type Step =
  | { readonly kind: "new project" }
  | { readonly kind: "file"; readonly file: string; readonly text: string; readonly line: number }
  | { readonly kind: "shell"; readonly commands: string; readonly says: string; readonly line: number }
  | { readonly kind: "program"; readonly file: string; readonly says: string; readonly line: number };

/** The steps of a page. Throws for a block that no step checks. */
export function stepsOf(page: string): Step[] {
  const parts = partsOf(readFileSync(page, "utf8"));
  return parts.flatMap((part, at): Step[] => {
    if (part === "new project") return [{ kind: "new project" }];
    if (isOutput(part) && isBlock(parts[at - 1]) && !isOutput(parts[at - 1])) return [];
    const next = parts[at + 1];
    return stepsOfBlock(part, isOutput(next) ? next.text : undefined, page);
  });
}

function isBlock(part: Block | "new project" | undefined): part is Block {
  return part !== undefined && part !== "new project";
}

function isOutput(part: Block | "new project" | undefined): part is Block {
  return isBlock(part) && part.language === "text";
}

function stepsOfBlock(block: Block, says: string | undefined, page: string): Step[] {
  const { language, text, line, file, notRun } = block;
  if (notRun !== undefined) return [];
  if (file !== undefined) {
    const written: Step = { kind: "file", file, text, line };
    return says === undefined ? [written] : [written, { kind: "program", file, says, line }];
  }
  if (language === "sh" && says !== undefined) return [{ kind: "shell", commands: text, says, line }];
  throw new Error(
    `${page}:${line}: this block is not checked. Add a file name in its first line, the output in a text block after it, or <!-- not run: reason --> before it.`,
  );
}

const FENCE = /^```(\w*)$/;
const NOT_RUN = /^<!-- not run: (.+) -->$/;
const NEW_PROJECT = "<!-- new project -->";
const FILE_NAME = /^\/\/ (\S+\.\w+)$/;

function partsOf(markdown: string): (Block | "new project")[] {
  const lines = markdown.split("\n");
  const parts: (Block | "new project")[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    if (lines[at] === NEW_PROJECT) parts.push("new project");
    const language = FENCE.exec(lines[at] ?? "")?.[1];
    if (language === undefined) continue;
    const end = lines.indexOf("```", at + 1);
    if (end < 0) throw new Error(`Line ${at + 1}: this block is not closed.`);
    parts.push(blockOf(language, lines.slice(at + 1, end), at + 1, lines.slice(0, at)));
    at = end;
  }
  return parts;
}

function blockOf(language: string, content: readonly string[], line: number, before: readonly string[]): Block {
  const file = FILE_NAME.exec(content[0] ?? "")?.[1];
  const notRun = NOT_RUN.exec(before.findLast((each) => each.trim() !== "") ?? "")?.[1];
  return {
    language,
    text: `${content.join("\n")}\n`,
    line,
    ...(file === undefined ? {} : { file }),
    ...(notRun === undefined ? {} : { notRun }),
  };
}

/** The output on a page as a pattern: `…` matches any text in a line, and alone on a line any number of lines. */
export function patternOf(shown: string): RegExp {
  const lines = shown.trimEnd().split("\n");
  const body = lines.map((line) => (line === "…" ? "(?:.*\\n)*?" : `${line.split("…").map(escaped).join(".*")}\\n`));
  return new RegExp(`^${body.join("")}$`);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
