import type { SessionInfo } from "../../core/session-log.ts";
import { escapedText, fenced, quoted, safeProse } from "./safe-markdown.ts";
import type { TranscriptItem, TranscriptPart } from "./transcript-item.ts";

/** The beginning of a session as a Markdown document. */
export function markdownHeader(info: SessionInfo): string {
  const { id, title, project, directory, agent, model, status, createdAt, updatedAt, position, branchOf } = info;
  const rows = [
    ["Session", id],
    ["Project", project],
    ...(directory === project ? [] : [["Directory", directory]]),
    ...(agent === undefined ? [] : [["Agent", agent]]),
    ...(model === undefined ? [] : [["Model", model]]),
    ["Status", status],
    ["Created", utcTime(createdAt)],
    ["Changed", utcTime(updatedAt)],
    ["Events", String(position)],
    ...(branchOf === undefined ? [] : [["Branch of", `${branchOf.sessionID}, event ${branchOf.position}`]]),
  ];
  const lines = rows.map(([name = "", value = ""]) => `- **${name}:** ${oneLine(value)}`);
  return `# ${oneLine(title ?? `Session ${id}`)}\n\n${lines.join("\n")}\n`;
}

/** One event of a session as Markdown. The document has no HTML, and no content can change its structure. */
export function markdownItem({ position, at, kind, title, parts }: TranscriptItem): string {
  const place = `*${utcTime(at)}, event ${position}*`;
  const isSmall = kind === "state" || kind === "session";
  const level = kind === "user" || kind === "model" ? "##" : "###";
  const heading = isSmall ? [`**${oneLine(title)}**, ${place}`] : [`${level} ${oneLine(title)}`, place];
  return `\n${[...heading, ...parts.map(markdownPart)].join("\n\n")}\n`;
}

function markdownPart(part: TranscriptPart): string {
  switch (part.kind) {
    case "prose":
      return quoted(safeProse(part.text));
    case "thinking":
      return quoted(`*Thinking:*\n\n${safeProse(part.text)}`);
    case "plain":
      return escapedText(part.text);
    case "data":
      return fenced(part.text, part.language);
  }
}

function oneLine(text: string): string {
  return escapedText(text.replace(/\s+/g, " "));
}

/** In UTC, because a document is read elsewhere. */
function utcTime(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at) : `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
