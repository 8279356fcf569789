import type { Toolbox } from "../../toolbox/toolbox.ts";
import { untrustedLine } from "./missing-tools.ts";
import { shownPath, shownPlace } from "./print.ts";

/** What somebody who watches a server is told of, each thing as it is said. */
interface Seen {
  readonly tools: ReadonlySet<string>;
  /** What is wrong with a file, and with the settings. */
  readonly faults: ReadonlySet<string>;
  readonly broken: ReadonlySet<string>;
  readonly untrusted: string | undefined;
}

/** Says, from now on, what a save has changed for the better or the worse. Answers with a function that ends it. */
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
      return `${faultLine(problem, cwd)}${isKept ? " Its last working version is served meanwhile." : ""}`;
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
    ...difference(before.broken, now.broken).map((file) => `${file}: no problem any more.`),
    ...(came.length > 0 ? [`New tools: ${listed(came)}`] : []),
    ...(gone.length > 0 ? [`Tools that are gone: ${listed(gone)}`] : []),
    ...(now.untrusted !== undefined && before.untrusted === undefined ? [now.untrusted] : []),
  ];
}

function difference(all: ReadonlySet<string>, some: ReadonlySet<string>): string[] {
  return [...all].filter((each) => !some.has(each));
}

/** On one line, whatever a message has to show. */
function faultLine(fault: { file: string; line?: number; message: string }, cwd: string): string {
  return `${shownPlace(fault, cwd)}: ${fault.message.replace(/\s*\n\s*/g, " ")}`;
}

const MOST_NAMES = 10;

function listed(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return `${names.slice(0, MOST_NAMES).join(", ")}${more}`;
}
