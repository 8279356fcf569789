import { leadsOutTo } from "../discovery/resolved-path.ts";
import type { Client, Level, Surroundings } from "./agent.ts";
import { readConfig } from "./config-file.ts";
import { type Editor, type EntryPath, entryAt, tableAt } from "./editor.ts";
import { jsonEditor } from "./json-editor.ts";
import { tomlEditor } from "./toml-editor.ts";

/** One configuration, and the name of our server in it. */
export interface Target {
  readonly client: Client;
  readonly level: Level;
  readonly file: string;
  readonly name: string;
  readonly at: Surroundings;
}

/**
 * Says where a project's configuration leads that is not the project's own, because of a link; undefined for any other. Such
 * a file is neither read nor changed: its content would be shown, or copied, as the project's. Hard links cannot be told.
 */
export function leadsElsewhere({ level, file, at }: Pick<Target, "level" | "file" | "at">): LeadsElsewhere | undefined {
  const to = level === "project" ? leadsOutTo(file, at.project) : undefined;
  if (to === undefined) return undefined;
  return { to, sentence: `${file} is not the project's own file: a link leads from there to ${to}.` };
}

interface LeadsElsewhere {
  readonly to: string;
  readonly sentence: string;
}

/** The server of our name in the text of a configuration. */
export interface Seen {
  readonly editor: Editor;
  /** Where it stands, or would stand. */
  readonly at: EntryPath;
  /** Undefined where there is none. */
  readonly there: unknown;
}

/** Looks in the first section that has a server of the name, else in the one to write to. Throws for a text that is not valid. */
export function look({ client, name }: Target, sections: Client["sections"], text: string): Seen {
  const editor = editorOf(client);
  const config = editor.parse(withoutMark(text));
  const all = sections(config);
  const section = all.find((each) => entryAt(config, { section: each, name }) !== undefined) ?? all[0];
  const at = { section, name };
  return { editor, at, there: entryAt(config, at) };
}

/** All sections of a configuration that the client reads here, those for one project alone included. */
export function everySection({ client, at }: Pick<Target, "client" | "at">): Client["sections"] {
  const { sections, projectSection } = client;
  return (config) => (projectSection ? [...sections(config), projectSection(at.project)] : sections(config));
}

/** All servers in a configuration, by name; one of a name may stand in it twice. Throws where the file cannot be read. */
export function serversIn(target: Pick<Target, "client" | "file" | "at">): [name: string, entry: unknown][] {
  const text = readConfig(target.file);
  if (text === undefined) return [];
  const config = editorOf(target.client).parse(withoutMark(text));
  return everySection(target)(config).flatMap((section) => Object.entries(tableAt(config, section)));
}

function editorOf({ format }: Client): Editor {
  return format === "toml" ? tomlEditor : jsonEditor;
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}
