import { describe, expect, it } from "vitest";
import type { DrawRequest } from "../../../toolbox/toolbox.ts";
import { limitDraws } from "./own-rendering.ts";

function request(callID: string): DrawRequest {
  return { kind: "call", name: "t", width: 40, color: false, callID, cwd: "/", input: {} };
}

describe("[U5] drawings of many calls", () => {
  it("run four at a time, the newest first, and one that fails makes room for the next", async () => {
    const started: string[] = [];
    const finish = new Map<string, () => void>();
    const draw = limitDraws(async ({ callID }) => {
      started.push(callID);
      await new Promise<void>((resolve) => finish.set(callID, resolve));
      if (callID === "1") throw new Error("broken");
      return [callID];
    });
    const drawn = ["1", "2", "3", "4", "5", "6", "7"].map((callID) => draw(request(callID)).catch(() => undefined));
    await new Promise((resolve) => setImmediate(resolve));
    expect(started).toEqual(["1", "2", "3", "4"]);
    for (const callID of ["1", "2", "3", "7", "6", "5", "4"]) {
      finish.get(callID)?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(started).toEqual(["1", "2", "3", "4", "7", "6", "5"]);
    expect(await Promise.all(drawn)).toEqual([undefined, ["2"], ["3"], ["4"], ["5"], ["6"], ["7"]]);
  });
});
