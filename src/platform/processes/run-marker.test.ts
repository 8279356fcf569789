import { describe, expect, it } from "vitest";
import { marksIn } from "./process-table.ts";
import { isPartOf, markOfRun, newMark, ownedBy } from "./run-marker.ts";

describe("a run marker", () => {
  it("[B1] is a part of the marker that it was made for, and of no other", () => {
    const toolbox = newMark();
    const host = newMark(toolbox);
    const run = newMark(host);
    expect([toolbox, host, run].map((mark) => isPartOf(mark, toolbox))).toEqual([true, true, true]);
    expect(isPartOf(toolbox, host)).toBe(false);
    expect(isPartOf(newMark(toolbox), host)).toBe(false);
    expect(isPartOf(`${toolbox}0`, toolbox)).toBe(false);
  });

  it("[B1] of a program that this process runs for an owner is a part of the owner's", async () => {
    let begun = 0;
    const owner = { mark: newMark(), begin: () => void begun++ };
    const mark = await ownedBy(owner, async () => {
      await new Promise(setImmediate);
      return markOfRun();
    });
    expect([isPartOf(mark, owner.mark), begun]).toEqual([true, 1]);
    expect([isPartOf(markOfRun(), owner.mark), begun]).toEqual([false, 1]);
  });

  it("[B1] is read from the environment that ps writes behind a command", () => {
    const mark = "0d76eeca-7002/1a";
    const listing = `  41 sleep 60 HOME=/Users/a TOOLWRIGHT_RUN=${mark} PATH=/bin
  42 sleep 60 HOME=/Users/a
    7 grep TOOLWRIGHT_RUN=ffff TERM=dumb TOOLWRIGHT_RUN=${mark}
   8 sleep OLD_TOOLWRIGHT_RUN=${mark}

`;
    expect([...marksIn(listing)]).toEqual([
      [41, mark],
      [7, mark],
    ]);
  });
});
