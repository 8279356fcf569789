import type { SessionInfo, SessionStatus } from "../../core/session-log.ts";
import type { TranscriptItem, TranscriptKind, TranscriptPart } from "../../sessions/transcript/transcript-item.ts";
import type { Invocation } from "./args/command.ts";
import { firstLine, indented, printable, type Style, styled, table } from "./output/print.ts";
import type { Output } from "./output/terminal.ts";
import { cut } from "./output/text-width.ts";

const STATUS_STYLES: Readonly<Record<SessionStatus, Style>> = {
  idle: "dim",
  running: "green",
  waiting: "yellow",
  error: "red",
  interrupted: "red",
};

/** A table of sessions. The title is last, because it is wrapped. */
export function sessionTable(sessions: readonly SessionInfo[], output: Output, withProject: boolean): string[] {
  const head = ["ID", "STATUS", "CHANGED", "EVENTS", "AGENT", ...(withProject ? ["PROJECT"] : []), "TITLE"];
  const rows = sessions.map(({ id, status, updatedAt, position, agent = "", project, title = "" }) => [
    printable(id),
    styled(output, STATUS_STYLES[status], status),
    localTime(updatedAt).slice(0, -3),
    String(position),
    firstLine(agent),
    ...(withProject ? [firstLine(project)] : []),
    firstLine(title),
  ]);
  return table([head.map((name) => styled(output, "bold", name)), ...rows], output.columns);
}

/** The data of one session. */
export function sessionHeader(info: SessionInfo, output: Output): string[] {
  const { id, status, title, project, directory, agent, model, createdAt, updatedAt, position } = info;
  const { parent, branchOf, openCalls, openQuestions } = info;
  const rows: [string, string | undefined][] = [
    ["Title", title],
    ["Status", status],
    ["Project", project],
    ["Directory", directory === project ? undefined : directory],
    ["Agent", agent],
    ["Model", model],
    ["Created", localTime(createdAt)],
    ["Changed", localTime(updatedAt)],
    ["Events", String(position)],
    ["Branch of", branchOf && `${branchOf.sessionID}, event ${branchOf.position}`],
    ["Task of", parent && `session ${parent.sessionID}, call ${parent.callID}`],
    ["Open calls", openCalls.join(", ") || undefined],
    ["Open questions", openQuestions.join(", ") || undefined],
  ];
  const known = rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, firstLine(value)]]));
  return [styled(output, "bold", printable(id)), ...table(known, output.columns, "  ")];
}

const ITEM_STYLES: Readonly<Record<TranscriptKind, Style | undefined>> = {
  user: "bold",
  model: "bold",
  call: undefined,
  result: undefined,
  failure: "red",
  question: "yellow",
  answer: "yellow",
  state: "dim",
  session: "dim",
};

const MARGIN = "      ";

/** One event of a transcript. Unless it is shown in full, inputs, outputs and thoughts are cut. */
export function itemLines(
  { position, at, kind, title, parts }: TranscriptItem,
  output: Output,
  full: boolean,
): string[] {
  const style = ITEM_STYLES[kind];
  const text = cut(firstLine(title), full ? undefined : MAX_TITLE);
  const place = styled(output, "dim", `${String(position).padStart(4)}  ${localTime(at)}`);
  return [
    `${place}  ${style ? styled(output, style, text) : text}`,
    ...parts.flatMap((part) => partLines(part, output, full)),
  ];
}

const MAX_TITLE = 200;
const MAX_LINES = 12;
const MAX_WIDTH = 300;

function partLines(part: TranscriptPart, output: Output, full: boolean): string[] {
  const text = part.text.replaceAll("\r\n", "\n").trimEnd();
  if (part.kind === "prose" || part.kind === "plain") return indented(text, MARGIN, output.columns);
  const all = indented(text, MARGIN);
  const kept = full ? all : all.slice(0, MAX_LINES).map((line) => cut(line, MAX_WIDTH));
  const shown = part.kind === "thinking" ? kept.map((line) => styled(output, "dim", line)) : kept;
  const omitted = all.length - kept.length;
  return omitted === 0 ? shown : [...shown, `${MARGIN}${styled(output, "dim", moreText(omitted))}`];
}

function moreText(lines: number): string {
  return `… ${lines} more ${lines === 1 ? "line" : "lines"}, shown with --full`;
}

/** In the time zone of the user. */
function localTime(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":")}`;
}

export function printLines({ terminal }: Invocation, lines: readonly string[]): void {
  if (lines.length > 0) terminal.stdout.write(`${lines.join("\n")}\n`);
}
