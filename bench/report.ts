import type { Goal, Outcome, Verdict } from "./harness.ts";
import type { Spread } from "./statistics.ts";

/** The result of a case as terminal lines: the measurements of each contender, then the goals. */
export function reportLines(outcome: Outcome): string[] {
  return [
    ...table([["", "measure", "median", "p10", "p90"], ...Object.entries(outcome.summary).flatMap(contenderRows)]),
    "",
    ...table([["goal", "measured", "p10", "p90", ""], ...outcome.verdicts.map(verdictRow)]),
  ];
}

function contenderRows([name, measures]: [string, Readonly<Record<string, Spread>>]): string[][] {
  return Object.entries(measures).map(([measure, spread]) => [name, measure, ...numbers(spread)]);
}

function verdictRow({ goal, measured, met }: Verdict): string[] {
  return [goalText(goal), ...numbers(measured), met ? "met" : "MISSED"];
}

/** A goal as text, such as `version: wall ≤ 1.5 × empty-node`. */
export function goalText(goal: Goal): string {
  const subject = `${goal.of}: ${goal.measure}`;
  if ("against" in goal) {
    const plus = goal.orPlus === undefined ? "" : ` or + ${goal.orPlus}`;
    return `${subject} ≤ ${goal.atMost} × ${goal.against}${plus}`;
  }
  return "atMost" in goal ? `${subject} ≤ ${goal.atMost} ${goal.unit}` : `${subject} ≥ ${goal.atLeast} ${goal.unit}`;
}

function numbers({ value, low, high }: Spread): string[] {
  return [value, low, high].map(short);
}

/** Three significant digits; whole numbers from 100. */
function short(value: number): string {
  if (!Number.isFinite(value)) return "?";
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

/** Pads columns to their widest cell. Text is left-aligned, numbers right-aligned. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        /^[\d.?-]/.test(cell) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}
