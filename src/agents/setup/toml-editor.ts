import { parse, TomlError } from "smol-toml";
import type { ServerEntry } from "./agent.ts";
import { ConfigProblem } from "./config-problem.ts";
import { type Editor, type EntryPath, entryAt } from "./editor.ts";
import { type Statement, tomlStatements } from "./toml-statements.ts";

/**
 * TOML. An entry is a table; an entry in another form, such as an inline table, is not edited.
 *
 * No editor on npm passes the table of cases in the test. `@decimalturn/toml-patch` 3.3 and `toml-patch` 0.2 remove the comment
 * after a removed table. `@rainbowatcher/toml-edit-js` 0.6 and `@shopify/toml-patch` 0.3 (WebAssembly) change all line ends to
 * `\n`, and the latter replaces an inline section with its other servers. `smol-toml` keeps no comments, and
 * `toml-eslint-parser` does not write.
 */
export const tomlEditor: Editor = {
  parse: (text) => {
    try {
      return parsed(text);
    } catch (error) {
      if (error instanceof TomlError) throw new ConfigProblem(`is not valid TOML (${reasonOf(error)})`, error.line);
      throw error;
    }
  },
  print: (path, entry) => tableText(path, entry, "\n").trimEnd(),
  set: (text, path, entry) => added(hasTable(text, path) ? remove(text, path) : text, path, entry),
  change,
  remove,
};

function parsed(text: string): unknown {
  return parse(text, { integersAsBigInt: "asNeeded" });
}

/** The message without the quoted lines of the text. */
function reasonOf({ message }: TomlError): string {
  return (message.split("\n")[0] ?? "").replace(/^Invalid TOML document: /, "");
}

/** TOML does not allow adding a table to an inline table. */
function added(text: string, path: EntryPath, entry: ServerEntry): string {
  const after = append(text, path, entry);
  if (isValid(after)) return after;
  if (entryAt(parsed(text), path) !== undefined) throw otherForm(path);
  const [section = ""] = path.section;
  throw new ConfigProblem(
    `has "${section}" as an inline table: write each server as a table, [${keyText(section)}.NAME]`,
  );
}

function isValid(text: string): boolean {
  try {
    parsed(text);
    return true;
  } catch {
    return false;
  }
}

function append(text: string, path: EntryPath, entry: ServerEntry): string {
  const eol = eolOf(text);
  if (text.trim() === "") return text + tableText(path, entry, eol);
  const table = tableText(path, entry, eol);
  if (text.endsWith("\n")) return `${text}${eol}${table}`;
  return `${text}${eol}${eol}${table.trimEnd()}`;
}

function tableText({ section, name }: EntryPath, entry: ServerEntry, eol: string): string {
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
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  return typeof value === "boolean" ? String(value) : stringText(String(value));
}

/** A basic TOML string is a JSON string, except that TOML escapes U+007F as well. */
function stringText(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

function change(text: string, path: EntryPath, fields: ServerEntry): string {
  return Object.entries(fields).reduce((changed, pair) => setPair(changed, path, pair), text);
}

function setPair(text: string, path: EntryPath, [key, value]: readonly [string, unknown]): string {
  const statements = tomlStatements(text);
  const header = statements.findIndex(
    (statement) => isTableOf(statement, path) && statement.keys.length === path.section.length + 1,
  );
  const table = statements[header];
  if (!table) throw otherForm(path);
  const body = statements.slice(header + 1, endOfTable(statements, header));
  const old = body.find(({ kind, keys }) => kind === "pair" && keys[0] === key);
  if (value === undefined) return old ? text.slice(0, old.start) + text.slice(old.end) : text;
  const pair = pairText([key, value]);
  if (!old) {
    const { end } = body.findLast(({ kind }) => kind === "pair") ?? table;
    const lineEnd = end === text.length && !text.endsWith("\n") ? "" : eolOf(text);
    return `${withLineEnd(text.slice(0, end), text)}${pair}${lineEnd}${text.slice(end)}`;
  }
  const lineEnd = /\r?\n$/.exec(text.slice(old.start, old.end))?.[0] ?? "";
  return `${text.slice(0, old.start)}${pair}${lineEnd}${text.slice(old.end)}`;
}

/** Removes the table and its subtables, each with the empty line before it. Keeps comments that follow. */
function remove(text: string, path: EntryPath): string {
  const statements = tomlStatements(text);
  const cuts = statements.flatMap((statement, index) =>
    isTableOf(statement, path) ? [cutOf(text, statements, index)] : [],
  );
  if (cuts.length === 0) throw otherForm(path);
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

function hasTable(text: string, path: EntryPath): boolean {
  return tomlStatements(text).some((statement) => isTableOf(statement, path));
}

/** Whether it is the entry's table or a subtable. */
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
