import { describe, expect, it } from "vitest";
import { OpenBodies, OpenBody } from "./open-bodies.ts";

const KB = 1024;
const MAX = 4_000 * KB;

/** A body with its name in `refused` if it is refused. */
function opener(maxBytes: number): { open(name: string): OpenBody; readonly refused: string[] } {
  const bodies = new OpenBodies(maxBytes);
  const refused: string[] = [];
  return { refused, open: (name) => new OpenBody(bodies, MAX, () => refused.push(name)) };
}

describe("[X1] the bodies that a server is receiving", () => {
  it("are limited together: those that became large first are refused", () => {
    const { open, refused } = opener(1_000 * KB);
    const bodies = ["a", "b", "c"].map(open);
    for (const body of bodies) body.add(Buffer.alloc(350 * KB));
    expect(refused).toEqual([]);
    bodies[1]?.add(Buffer.alloc(350 * KB));
    expect(refused).toEqual(["a"]);
    expect(bodies[0]?.size).toBe(0);
    expect(bodies[1]?.close().length).toBe(700 * KB);
    open("d").add(Buffer.alloc(500 * KB));
    expect(refused).toEqual(["a"]);
  });

  it("are received if they are small, however many large ones there are", () => {
    const { open, refused } = opener(100 * KB);
    const small = Array.from({ length: 1_000 }, (_, n) => open(`${n}`));
    for (const body of small) body.add(Buffer.alloc(60 * KB));
    open("large").add(Buffer.alloc(150 * KB));
    open("larger").add(Buffer.alloc(160 * KB));
    expect(refused).toEqual(["large"]);
    for (const body of small) expect(body.close().length).toBe(60 * KB);
  });

  it("no longer count when they are closed, however often that is", () => {
    const { open, refused } = opener(1_000 * KB);
    for (let round = 0; round < 10; round += 1) {
      const body = open(`${round}`);
      body.add(Buffer.alloc(900 * KB));
      for (let again = 0; again < 3; again += 1) body.close();
      body.add(Buffer.alloc(900 * KB));
    }
    expect(refused).toEqual([]);
  });

  it("keep their bytes in order, also if they come one by one", () => {
    const body = opener(MAX).open("a");
    const text = "0123456789".repeat(10_000);
    for (const byte of Buffer.from(text)) body.add(Buffer.of(byte));
    expect(body.close().toString()).toBe(text);
  });
});
