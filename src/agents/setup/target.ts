import { leadsOutTo } from "../../platform/files/real-path.ts";
import type { AgentSetup, Level, UserEnvironment } from "./agent.ts";
import { readConfig } from "./config-file.ts";
import { type Editor, type EntryPath, entryAt, tableAt } from "./editor.ts";
import { extensionEditor } from "./extension-editor.ts";
import { jsonEditor } from "./json-editor.ts";
import { tomlEditor } from "./toml-editor.ts";

/** One config file of an agent, and the name of our server in it. */
export interface ConfigTarget {
  readonly agent: AgentSetup;
  readonly level: Level;
  readonly file: string;
  readonly name: string;
  readonly environment: UserEnvironment;
}

/** A project's config file that is a link to a file outside the project. */
interface LinkOutOfProject {
  readonly to: string;
  /** "FILE is a link to …". */
  readonly sentence: string;
}

/**
 * Detects a project's config file that is a link out of the project. The file is neither read nor changed, because
 * its content would be shown, or copied, as the project's. Hard links are not detected.
 */
export function linkOutOfProject(
  target: Pick<ConfigTarget, "level" | "file" | "environment">,
): LinkOutOfProject | undefined {
  const { level, file, environment } = target;
  const to = level === "project" ? leadsOutTo(file, environment.project) : undefined;
  return to === undefined ? undefined : { to, sentence: `${file} is a link out of the project, to ${to}.` };
}

/** The entry of our name in a config file. */
export interface FoundEntry {
  readonly editor: Editor;
  /** Where the entry is, or would be added. */
  readonly path: EntryPath;
  /** Undefined if there is none. */
  readonly entry: unknown;
}

/** Uses the first section that has the name, else the one to write to. Throws a `ConfigProblem` for an invalid text. */
export function findEntry({ agent, name }: ConfigTarget, sections: AgentSetup["sections"], text: string): FoundEntry {
  const editor = editorOf(agent);
  const config = editor.parse(withoutMark(text));
  const all = sections(config);
  const section = all.find((each) => entryAt(config, { section: each, name }) !== undefined) ?? all[0];
  const path = { section, name };
  return { editor, path, entry: entryAt(config, path) };
}

/** All sections that the agent reads in this environment, including the one for the current project. */
export function everySection({
  agent,
  environment,
}: Pick<ConfigTarget, "agent" | "environment">): AgentSetup["sections"] {
  const { sections, projectSection } = agent;
  return (config) => (projectSection ? [...sections(config), projectSection(environment.project)] : sections(config));
}

/** All servers in a config file. A name may occur in two sections. Throws if the file cannot be read. */
export function serversIn(
  target: Pick<ConfigTarget, "agent" | "file" | "environment">,
): [name: string, entry: unknown][] {
  const text = readConfig(target.file);
  if (text === undefined) return [];
  const config = editorOf(target.agent).parse(withoutMark(text));
  return everySection(target)(config).flatMap((section) => Object.entries(tableAt(config, section)));
}

const EDITORS: Readonly<Record<AgentSetup["format"], Editor>> = {
  json: jsonEditor,
  toml: tomlEditor,
  extension: extensionEditor,
};

function editorOf({ format }: AgentSetup): Editor {
  return EDITORS[format];
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}
