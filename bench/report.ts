import type { Goal, Outcome, Verdict } from "./harness.ts";
import type { Spread } from "./statistics.ts";

/** What came of a case, as lines for a terminal: what each contender took, then each goal. */
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

/** A goal in words, such as `version: wall ≤ 1.5 × empty-node`. */
export function goalText(goal: Goal): string {
  const subject = `${goal.of}: ${goal.measure}`;
  if ("against" in goal) return `${subject} ≤ ${goal.atMost} × ${goal.against}`;
  return "atMost" in goal ? `${subject} ≤ ${goal.atMost} ${goal.unit}` : `${subject} ≥ ${goal.atLeast} ${goal.unit}`;
}

function numbers({ value, low, high }: Spread): string[] {
  return [value, low, high].map(short);
}

/** Three digits that count; whole numbers from a hundred on. */
function short(value: number): string {
  if (!Number.isFinite(value)) return "?";
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

/** Columns as wide as their widest cell: the first to the left, numbers to the right. */
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
