import { describe, expect, it } from "vitest";
import { matchText } from "../../src/platform/text/wildcard.ts";
import { coversCommand } from "../../src/settings/permissions/covers-command.ts";
import { HostileCommands } from "../support/hostile-commands.ts";
import { escapes, shellsHere } from "../support/shell-escapes.ts";

/** Each test runs 500 commands per round. */
const ROUNDS = Number(process.env.ROUNDS ?? 20);
const LONG = { timeout: 60_000 * ROUNDS };

type Covers = (match: string, command: string) => boolean;

describe("[P3] [X1] commands that a wildcard allows", () => {
  it.each(shellsHere())("run only the programs of the rule in %s", LONG, (shell) => {
    const next = covered(1, (match, command) => coversCommand(match, command, "allow"));
    for (let round = 0; round < ROUNDS; round += 1)
      expect(escapes(shell, Array.from({ length: 500 }, next))).toEqual([]);
  });

  it("would run other programs if wildcards matched everything except operators", LONG, () => {
    const next = covered(1, (match, command) =>
      matchText(match, command, (characters, at) => {
        const character = characters[at] ?? "";
        return !/[;&|<>`\r\n]/.test(character) && !(character === "(" && characters[at - 1] === "$");
      }),
    );
    const found = escapes("bash", Array.from({ length: 4_000 }, next));
    for (const kind of ["@P}", "$[a", "${!a", "{$,c}[a]", "-v 'b[", "|canary"]) {
      expect(found.filter((command) => command.includes(kind))).not.toEqual([]);
    }
  });
});

/** Returns the next hostile command that its rule covers. */
function covered(seed: number, covers: Covers): () => string {
  const commands = new HostileCommands(seed);
  return () => {
    for (;;) {
      const { match, command } = commands.next();
      if (covers(match, command)) return command;
    }
  };
}
