import { firstNames } from "../../platform/text/amount-text.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import { untrustedLine } from "./missing-tools.ts";
import { shownPath, shownPlace } from "./output/print.ts";

/** The state of a toolbox, as printed lines. */
interface Snapshot {
  readonly tools: ReadonlySet<string>;
  /** Problems of tool files and settings. */
  readonly faults: ReadonlySet<string>;
  readonly broken: ReadonlySet<string>;
  readonly untrusted: string | undefined;
}

/** Prints what each change of the toolbox adds, removes and breaks. Returns a function that stops it. */
export function sayChanges(toolbox: Toolbox, cwd: string, say: (text: string) => void): () => void {
  let before = snapshotOf(toolbox, cwd);
  return toolbox.on("change", () => {
    const now = snapshotOf(toolbox, cwd);
    for (const line of changes(before, now)) say(line);
    before = now;
  });
}

function snapshotOf(toolbox: Toolbox, cwd: string): Snapshot {
  const tools = toolbox.list().filter(({ enabled }) => enabled);
  const served = new Set(tools.map(({ file }) => file));
  const problems = toolbox.problems();
  const faults = [
    ...problems.map((problem) => {
      const isStillServed = problem.tool === undefined && served.has(problem.file);
      return `${faultLine(problem, cwd)}${isStillServed ? " Its last working version is still served." : ""}`;
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

function changes(before: Snapshot, now: Snapshot): string[] {
  const added = difference(now.tools, before.tools);
  const removed = difference(before.tools, now.tools);
  return [
    ...difference(now.faults, before.faults),
    ...difference(before.broken, now.broken).map((file) => `${file}: no more problems.`),
    ...(added.length > 0 ? [`New tools: ${firstNames(added, MAX_NAMES)}`] : []),
    ...(removed.length > 0 ? [`Removed tools: ${firstNames(removed, MAX_NAMES)}`] : []),
    ...(now.untrusted !== undefined && before.untrusted === undefined ? [now.untrusted] : []),
  ];
}

function difference(all: ReadonlySet<string>, some: ReadonlySet<string>): string[] {
  return [...all].filter((each) => !some.has(each));
}

function faultLine(fault: { file: string; line?: number; column?: number; message: string }, cwd: string): string {
  return `${shownPlace(fault, cwd)}: ${fault.message.replace(/\s*\n\s*/g, " ")}`;
}

const MAX_NAMES = 10;
