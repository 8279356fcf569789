import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "../../../config/private-file.ts";
import { TOOL_NAME } from "../../../core/tool.ts";
import type { Survey } from "../../../survey.ts";
import { type Command, type Invocation, isSet, optionValue } from "../command.ts";
import { type FirstTrust, isUnused, trustIfUnused } from "../first-trust.ts";
import { printable, printJson, shownPath } from "../print.ts";
import { shellWord } from "../shell-word.ts";
import { surveyAsStored } from "../survey.ts";
import { toolTemplate } from "../templates.ts";
import { didYouMean, UsageError } from "../usage-error.ts";
import { printWarnings } from "../with-toolbox.ts";

const FORMATS = ["tool"];

/** `toolwright new NAME`. */
export const create: Command = {
  spec: {
    usage: "toolwright new NAME [--format FORMAT] [--global] [options]",
    about: "Writes a small tool that works, with comments that say what to change, and prints how to try it.",
    options: {
      format: { type: "string", value: "FORMAT", help: `one of: ${FORMATS.join(", ")}` },
      global: { type: "boolean", help: "write it for all projects, not just for this one" },
    },
    positionals: [1, 1],
    examples: ["toolwright new hello", "toolwright new hello --global"],
  },
  run: createTool,
};

async function createTool(invocation: Invocation): Promise<number> {
  const [name = ""] = invocation.positionals;
  const isGlobal = isSet(invocation, "global");
  checkName(name);
  checkFormat(optionValue(invocation, "format"));
  const before = surveyAsStored(invocation);
  printWarnings(before.warnings, invocation);
  const folder = isGlobal
    ? join(before.homes.toolwrightHome, "tools")
    : join(before.discovered.project.root, ".toolwright", "tools");
  refuseTaken(name, folder);
  const wasUnused = !isGlobal && !before.discovered.project.trusted && isUnused(invocation, before);
  if (isGlobal) makePrivateFolder(before.homes.toolwrightHome);
  const file = write(folder, name);
  const trust = isGlobal ? "already" : await trustIfUnused(before, wasUnused);
  report({ name, file, trust, before }, invocation);
  return 0;
}

function checkName(name: string): void {
  if (TOOL_NAME.test(name)) return;
  throw new UsageError(
    `"${name}" cannot be the name of a tool: names have 1 to 64 letters, digits, "_" and "-", as in my_tool.`,
  );
}

function checkFormat(format: string | undefined): void {
  if (format === undefined || FORMATS.includes(format)) return;
  const hint = didYouMean(format, FORMATS, `There are: ${FORMATS.join(", ")}.`);
  throw new UsageError(`There is no format "${format}". ${hint}`);
}

/** Whatever has the name, in whichever spelling of its ending, would fight with the new file over it. */
function refuseTaken(name: string, folder: string): void {
  const taken = entriesOf(folder).find(
    (entry) => entry === name || /^(.*)\.(?:[mc]?js|m?ts)$/.exec(entry)?.[1] === name,
  );
  if (taken === undefined) return;
  throw new UsageError(`${join(folder, taken)} is there already. Choose another name, or delete it first.`);
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function write(folder: string, name: string): string {
  const file = join(folder, `${name}.ts`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, toolTemplate(), { flag: "wx" });
  return file;
}

interface Created {
  readonly name: string;
  readonly file: string;
  readonly trust: FirstTrust;
  readonly before: Survey;
}

function report({ name, file, trust, before }: Created, { globals, terminal }: Invocation): void {
  const at = globals.cwd === terminal.cwd ? "" : ` --cwd ${shellWord(globals.cwd)}`;
  const tryIt = `toolwright run ${name} --name World${at}`;
  if (globals.json) return printJson(terminal, { name, file, run: tryIt, trusted: trust !== "withheld" });
  const lines = [
    `Wrote ${shownPath(file, globals.cwd)}`,
    "",
    ...(trust === "withheld"
      ? [
          "This project holds other tool files or settings and is not trusted. Look at them, then run:",
          `  toolwright trust --cwd ${shellWord(before.discovered.project.root)}`,
          "",
        ]
      : []),
    "Try it:",
    `  ${tryIt}`,
  ];
  terminal.stdout.write(`${lines.map(printable).join("\n")}\n`);
}
