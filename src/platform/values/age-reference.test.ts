import { describe, expect, it } from "vitest";
import { type AgeReference, ageReference, expiryTime } from "./age-reference.ts";

const DAY = 24 * 60 * 60 * 1000;
const KEEP = 90;
const START = 20_000 * DAY;

/** The expiry times, in days after `START`, while the clock shows these days. An item is written after each look. */
function expiries(days: readonly number[]): number[] {
  let reference: AgeReference | undefined;
  let newest = START;
  return days.map((day) => {
    const now = START + day * DAY;
    reference = ageReference(reference, now, newest);
    const expiry = expiryTime(reference, now, newest, KEEP);
    newest = Math.max(newest, now);
    return (expiry - START) / DAY + KEEP;
  });
}

describe("ageReference", () => {
  it.each([
    ["follows the items, two looks later", [0, 1, 2, 3, 4], [0, 0, 0, 1, 2]],
    ["follows them if the program is used once a week", [0, 7, 14, 21], [0, 0, 0, 7]],
    ["does not follow a jump of a year ahead on the same day", [0, 365, 365.1, 365.9], [0, 0, 0, 0]],
    ["follows a jump ahead that lasts", [0, 365, 366, 367], [0, 0, 0, 365]],
    ["forgets a jump ahead that is undone", [0, 365, 365.5, 0.5, 1.5], [0, 0, 0, 0, 0.5]],
    ["forgets jumps ahead that are undone and repeated", [0, 365, 0.1, 365.1, 0.2, 365.2], [0, 0, 0, 0.1, 0.1, 0.2]],
    ["goes back at once with a clock that goes back", [0, 1, 2, -363, -362.9, 2.1], [0, 0, 0, -363, -362.9, -363]],
  ])("%s", (_, days, expected) => {
    const rounded = expiries(days).map((day) => Math.round(day * 10) / 10);
    expect(rounded).toEqual(expected);
  });
});
