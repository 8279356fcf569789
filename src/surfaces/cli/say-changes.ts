import type { Toolbox } from "../../toolbox/toolbox.ts";
import { untrustedLine } from "./missing-tools.ts";
import { shownPath, shownPlace } from "./print.ts";

/** The state of a toolbox, as printed lines. */
interface Seen {
  readonly tools: ReadonlySet<string>;
  /** Problems of tool files and settings. */
  readonly faults: ReadonlySet<string>;
  readonly broken: ReadonlySet<string>;
  readonly untrusted: string | undefined;
}

/** Prints what each change of the toolbox adds, removes and breaks. Returns a function that stops it. */
export function sayChanges(toolbox: Toolbox, cwd: string, say: (text: string) => void): () => void {
  let before = look(toolbox, cwd);
  return toolbox.on("change", () => {
    const now = look(toolbox, cwd);
    for (const line of changes(before, now)) say(line);
    before = now;
  });
}

function look(toolbox: Toolbox, cwd: string): Seen {
  const tools = toolbox.list().filter(({ enabled }) => enabled);
  const served = new Set(tools.map(({ file }) => file));
  const problems = toolbox.problems();
  const faults = [
    ...problems.map((problem) => {
      const isKept = problem.tool === undefined && served.has(problem.file);
      return `${faultLine(problem, cwd)}${isKept ? " Its last working version is still served." : ""}`;
    }),
    ...toolbox.status.warnings.map((warning) => faultLine(warning, cwd)),
  ];
  return {
    tools: new Set(tools.map(({ name }) => name)),
    faults: new Set(faults),
    broken: new Set(problems.map(({ file }) => shownPath(file, cwd))),
    untrusted: untrustedLine(toolbox),
  };
}

function changes(before: Seen, now: Seen): string[] {
  const came = difference(now.tools, before.tools);
  const gone = difference(before.tools, now.tools);
  return [
    ...difference(now.faults, before.faults),
    ...difference(before.broken, now.broken).map((file) => `${file}: no more problems.`),
    ...(came.length > 0 ? [`New tools: ${listed(came)}`] : []),
    ...(gone.length > 0 ? [`Removed tools: ${listed(gone)}`] : []),
    ...(now.untrusted !== undefined && before.untrusted === undefined ? [now.untrusted] : []),
  ];
}

function difference(all: ReadonlySet<string>, some: ReadonlySet<string>): string[] {
  return [...all].filter((each) => !some.has(each));
}

/** A problem on one line. */
function faultLine(fault: { file: string; line?: number; message: string }, cwd: string): string {
  return `${shownPlace(fault, cwd)}: ${fault.message.replace(/\s*\n\s*/g, " ")}`;
}

const MOST_NAMES = 10;

function listed(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return `${names.slice(0, MOST_NAMES).join(", ")}${more}`;
}
