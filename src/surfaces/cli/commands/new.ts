import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { BUILTIN_NAMES } from "../../../catalog/builtin-tools.ts";
import type { InspectedProject } from "../../../catalog/inspect-project.ts";
import { TOOL_NAME } from "../../../core/tool.ts";
import { shellWord } from "../../../platform/text/shell-word.ts";
import { matchText } from "../../../platform/text/wildcard.ts";
import { tryOrUndefined } from "../../../platform/values/try-or-undefined.ts";
import { makePrivateFolder } from "../../../settings/private-file.ts";
import { type Command, type Invocation, isSet, optionValue } from "../args/command.ts";
import { didYouMean, UsageError } from "../args/usage-error.ts";
import {
  ALREADY,
  type FirstTrust,
  reasonToWithhold,
  refuseLinkOut,
  trustFields,
  trustLines,
  trustUnless,
} from "../first-trust.ts";
import { inspectWithoutTrustFlag } from "../inspect-for.ts";
import { printable, printJson, shownPath } from "../output/print.ts";
import { writeWhole } from "../output/write-whole.ts";
import { printWarnings } from "../print-warnings.ts";
import { TEMPLATES, type Template, type TemplateFile } from "../templates.ts";

const FORMATS = Object.keys(TEMPLATES);

/** `toolwright new NAME`. */
export const create: Command = {
  spec: {
    usage: "toolwright new NAME [--format FORMAT] [--global] [options]",
    about: `Writes a small working tool, with comments that say what to change, and prints a command that calls it.

Formats:
${Object.entries(TEMPLATES)
  .map(([format, { about }]) => `  ${format.padEnd(16)}  ${about}`)
  .join("\n")}`,
    options: {
      format: { type: "string", value: "FORMAT", help: "Format of the tool file (default tool)" },
      global: { type: "boolean", help: "Write it for all projects instead of this one" },
    },
    positionals: [1, 1],
    examples: ["toolwright new hello", "toolwright new hello --global", "toolwright new hello --format json"],
  },
  run: createTool,
};

async function createTool(invocation: Invocation): Promise<number> {
  const [name = ""] = invocation.positionals;
  const isGlobal = isSet(invocation, "global");
  checkName(name);
  const template = templateFor(optionValue(invocation, "format") ?? "tool");
  const before = inspectWithoutTrustFlag(invocation);
  const folder = isGlobal
    ? join(before.homes.toolwrightHome, "tools")
    : join(before.discovered.project.root, ".toolwright", "tools");
  refuseBuiltin(name, before);
  if (!isGlobal) refuseLinkOut(folder, before);
  printWarnings(before.warnings, invocation);
  refuseTaken(name, folder);
  const made = template.files(name);
  const trustsNothing = isGlobal || before.discovered.project.trusted;
  const reason = trustsNothing ? undefined : reasonToWithhold(invocation, before, importsOf(made));
  if (isGlobal) makePrivateFolder(before.homes.toolwrightHome);
  const files = write(folder, made);
  const trust = isGlobal ? ALREADY : await trustUnless(reason, before);
  report({ name, files, notes: template.notes ?? [], trust, before }, invocation);
  return 0;
}

function checkName(name: string): void {
  if (TOOL_NAME.test(name)) return;
  throw new UsageError(`"${name}" is not a valid tool name. Use 1 to 64 letters, digits, "_" and "-", as in my_tool.`);
}

/** A new tool with the name of a built-in tool would not be served, unless the settings say so. */
function refuseBuiltin(name: string, { settings: { tools } }: InspectedProject): void {
  if (!BUILTIN_NAMES.has(name) || [...tools.override, ...tools.disabled].some((pattern) => matchText(pattern, name)))
    return;
  throw new UsageError(
    `"${name}" is a built-in tool, which would be served instead of yours. Choose another name. To replace the built-in tool, first set "tools": { "override": ["${name}"] } in the settings.`,
  );
}

function templateFor(format: string): Template {
  const template = FORMATS.includes(format) ? TEMPLATES[format] : undefined;
  if (template) return template;
  const hint = didYouMean(format, FORMATS, `Formats: ${FORMATS.join(", ")}.`);
  throw new UsageError(`Unknown format "${format}". ${hint}`);
}

/** Refuses a name that an existing file has, with any extension. */
function refuseTaken(name: string, folder: string): void {
  const taken = entriesOf(folder).find(
    (entry) => entry === name || /^(.*)\.(?:[mc]?[jt]s|json|txt)$/.exec(entry)?.[1] === name,
  );
  if (taken === undefined) return;
  throw new UsageError(`${join(folder, taken)} already exists. Choose another name, or delete it first.`);
}

function entriesOf(folder: string): string[] {
  return tryOrUndefined(() => readdirSync(folder)) ?? [];
}

function importsOf(files: readonly TemplateFile[]): string[] {
  const names = files.flatMap(({ text }) =>
    [...text.matchAll(/^import .* from "([^"]+)";$/gm)].map(([, name = ""]) => name),
  );
  return [...new Set(["toolwright", ...names])];
}

function write(folder: string, files: readonly TemplateFile[]): string[] {
  mkdirSync(folder, { recursive: true });
  return files.map(({ file, text }) => {
    const path = join(folder, file);
    writeWhole(path, text, "wx");
    return path;
  });
}

interface Created {
  readonly name: string;
  readonly files: readonly string[];
  readonly notes: readonly string[];
  readonly trust: FirstTrust;
  readonly before: InspectedProject;
}

function report({ name, files, notes, trust, before }: Created, { globals, terminal }: Invocation): void {
  const at = globals.cwd === terminal.cwd ? "" : ` --cwd ${shellWord(globals.cwd)}`;
  const tryIt = `toolwright run ${name} --name World${at}`;
  if (globals.json) {
    return printJson(terminal, { name, file: files[0], files, run: tryIt, ...trustFields(trust, before) });
  }
  const lines = [
    ...files.map((file) => `Wrote ${shownPath(file, globals.cwd)}`),
    "",
    ...(notes.length > 0 ? [...notes, ""] : []),
    ...trustLines(trust, before, globals.cwd),
    "Try it:",
    `  ${tryIt}`,
  ];
  terminal.stdout.write(`${lines.map(printable).join("\n")}\n`);
}
