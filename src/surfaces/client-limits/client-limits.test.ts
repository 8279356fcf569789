import { describe, expect, it } from "vitest";
import { CLIENT_LIMITS, firstListMs } from "./client-limits.ts";

describe("[M2] the first list", () => {
  it("may take 0.4 s for Codex, and 3 s for other clients, known or not", () => {
    const known = CLIENT_LIMITS.flatMap(({ id, clientNames }) =>
      clientNames.map((name) => [id, firstListMs({ name: name.replace("*", " 1") })]),
    );
    expect(new Map(known as [string, number][])).toEqual(
      new Map(
        CLIENT_LIMITS.filter(({ clientNames }) => clientNames.length > 0).map(({ id }) => [
          id,
          id === "codex" ? 400 : 3_000,
        ]),
      ),
    );
    expect([firstListMs({ name: " Codex-MCP-client" }), firstListMs({ name: "mine" }), firstListMs(undefined)]).toEqual(
      [400, 3_000, 3_000],
    );
  });
});
