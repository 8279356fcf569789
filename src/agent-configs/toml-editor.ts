import { parse, TomlError } from "smol-toml";
import type { Entry } from "./agent.ts";
import { ConfigProblem } from "./config-problem.ts";
import { type Editor, type EntryPath, entryAt } from "./editor.ts";
import { type Statement, tomlStatements } from "./toml-statements.ts";

/** TOML, in which an entry is a table of its own. An entry in another form is left alone. */
export const tomlEditor: Editor = {
  parse: (text) => {
    try {
      return parsed(text);
    } catch (error) {
      if (error instanceof TomlError) throw new ConfigProblem(`is not valid TOML (${reasonOf(error)})`, error.line);
      throw error;
    }
  },
  spell: (at, entry) => tableText(at, entry, "\n").trimEnd(),
  put: (text, at, entry) => added(hasTable(text, at) ? remove(text, at) : text, at, entry),
  change,
  remove,
};

function parsed(text: string): unknown {
  return parse(text, { integersAsBigInt: "asNeeded" });
}

/** Without the lines of the text, which the message brings along. */
function reasonOf({ message }: TomlError): string {
  return (message.split("\n")[0] ?? "").replace(/^Invalid TOML document: /, "");
}

/** A table can be added to another only where that is not written inline. */
function added(text: string, at: EntryPath, entry: Entry): string {
  const after = append(text, at, entry);
  if (isValid(after)) return after;
  if (entryAt(parsed(text), at) !== undefined) throw otherForm(at);
  const [section = ""] = at.section;
  throw new ConfigProblem(`has "${section}" in braces: write each server as a table, [${keyText(section)}.NAME]`);
}

function isValid(text: string): boolean {
  try {
    parsed(text);
    return true;
  } catch {
    return false;
  }
}

function append(text: string, at: EntryPath, entry: Entry): string {
  const eol = eolOf(text);
  if (text.trim() === "") return text + tableText(at, entry, eol);
  const table = tableText(at, entry, eol);
  if (text.endsWith("\n")) return `${text}${eol}${table}`;
  return `${text}${eol}${eol}${table.trimEnd()}`;
}

function tableText({ section, name }: EntryPath, entry: Entry, eol: string): string {
  const header = `[${[...section, name].map(keyText).join(".")}]`;
  return [header, ...Object.entries(entry).map(pairText), ""].join(eol);
}

function pairText([key, value]: readonly [string, unknown]): string {
  return `${keyText(key)} = ${valueText(value)}`;
}

function keyText(key: string): string {
  return /^[\w-]+$/.test(key) ? key : stringText(key);
}

function valueText(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(valueText).join(", ")}]` : stringText(String(value));
}

/** A basic string is written as in JSON, but for one control character that JSON lets stand. */
function stringText(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

function change(text: string, at: EntryPath, fields: Entry): string {
  return Object.entries(fields).reduce((changed, pair) => setPair(changed, at, pair), text);
}

function setPair(text: string, at: EntryPath, [key, value]: readonly [string, unknown]): string {
  const statements = tomlStatements(text);
  const header = statements.findIndex(
    (statement) => isTableOf(statement, at) && statement.keys.length === at.section.length + 1,
  );
  const table = statements[header];
  if (!table) throw otherForm(at);
  const body = statements.slice(header + 1, endOfTable(statements, header));
  const old = body.find(({ kind, keys }) => kind === "pair" && keys[0] === key);
  const pair = pairText([key, value]);
  if (!old) return `${withLineEnd(text.slice(0, table.end), text)}${pair}${eolOf(text)}${text.slice(table.end)}`;
  const lineEnd = /\r?\n$/.exec(text.slice(old.start, old.end))?.[0] ?? "";
  return `${text.slice(0, old.start)}${pair}${lineEnd}${text.slice(old.end)}`;
}

/** The table and those below it, with the empty line before each. Comments that follow them stay. */
function remove(text: string, at: EntryPath): string {
  const statements = tomlStatements(text);
  const cuts = statements.flatMap((statement, index) =>
    isTableOf(statement, at) ? [cutOf(text, statements, index)] : [],
  );
  if (cuts.length === 0) throw otherForm(at);
  return cuts.reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), text);
}

function cutOf(text: string, statements: readonly Statement[], index: number): { start: number; end: number } {
  const before = statements[index - 1];
  const isBlank = before !== undefined && text.slice(before.start, before.end).trim() === "";
  const body = statements.slice(index, endOfTable(statements, index));
  const start = isBlank ? before.start : (body[0]?.start ?? 0);
  return { start, end: body.findLast(({ kind }) => kind !== "other")?.end ?? start };
}

/** The index of the table after this one. */
function endOfTable(statements: readonly Statement[], index: number): number {
  const next = statements.findIndex(({ kind }, at) => at > index && kind === "table");
  return next < 0 ? statements.length : next;
}

function hasTable(text: string, at: EntryPath): boolean {
  return tomlStatements(text).some((statement) => isTableOf(statement, at));
}

/** Whether it is the entry's table, or one below it. */
function isTableOf({ kind, keys }: Statement, { section, name }: EntryPath): boolean {
  return kind === "table" && [...section, name].every((key, at) => keys[at] === key);
}

function otherForm({ section, name }: EntryPath): ConfigProblem {
  const table = `[${[...section, name].map(keyText).join(".")}]`;
  return new ConfigProblem(`has "${name}" in another form than a table: write it as ${table}`);
}

function withLineEnd(head: string, text: string): string {
  return head === "" || head.endsWith("\n") ? head : `${head}${eolOf(text)}`;
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
