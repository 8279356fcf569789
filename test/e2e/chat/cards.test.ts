import { describe, expect, it } from "vitest";
import { chatProject } from "../../support/terminal/chat-world.ts";
import { missing, skipped } from "../../support/terminal/tmux.ts";

const FILES = { "notes.txt": "one\ntwo\nthree\n", "src/a.ts": "export const a = 1;\n" };
const SETTINGS = {
  permissions: ["bash", "edit", "write"].map((tool) => ({ tool, action: "allow" as const })),
};

const SCRIPT = [
  'call read {"filePath":"notes.txt","offset":2,"limit":2}',
  'call edit {"filePath":"notes.txt","oldString":"two","newString":"2\\nzwei"}',
  'call write {"filePath":"src/b.ts","content":"export const b = 2;\\n"}',
  'call bash {"command":"cat notes.txt","description":"Shows the notes"}',
  'call glob {"pattern":"**/*.ts"}',
  'call todowrite {"todos":[{"id":"1","content":"Read","status":"completed","priority":"low"},{"id":"2","content":"Write","status":"in_progress","priority":"low"}]}',
  'call bash {"command":7,"description":"No command"}',
];

describe.skipIf(missing !== undefined)(`[U2] cards of calls in the chat${skipped}`, () => {
  it.each([
    ["in colours", {}],
    ["without colours", { NO_COLOR: "1" }],
  ])("[U2] [U5] show commands, files, changes and lists %s", async (_, env) => {
    const chat = await chatProject({ files: FILES, settings: SETTINGS }).open({ rows: 60, columns: 80, env });
    await chat.script(...SCRIPT);
    await chat.until(/✗ bash/);
    await chat.idle();
    expect(await chat.shown("✓ read")).toMatchInlineSnapshot(`
      "✓ read notes.txt:2-3 TIME
             2    two
             3    three
        (end of file: 3 lines)

      ✓ edit notes.txt +2 -1 TIME
        1   one
        2 - two
        2 + 2
        3 + zwei
        4   three

      ✓ write src/b.ts +1 -0 TIME
        1 + export const b = 2;

      ✓ bash $ cat notes.txt, description: Shows the notes TIME
        one
        2
        zwei
        three

      ✓ glob "**/*.ts" TIME
        2 files, newest first.

        src/b.ts
        src/a.ts

      ✓ todowrite 1 of 2 done TIME
        ✓ Read
        ▸ Write

      ✗ bash command: 7, description: No command TIME
        The input for "bash" is not valid:
        - /command: Invalid input: expected string, received number
        Correct it and call the tool again.
      ────────────────────────────────────────────────────────────────────────────────

      ────────────────────────────────────────────────────────────────────────────────
      demo · default · call read {"filePath":"notes.txt","offset":2,"limit":2}"
    `);
  });

  it("[U2] fit in 40 columns, and show everything when they are expanded", async () => {
    const chat = await chatProject({ files: FILES, settings: SETTINGS }).open({ rows: 60, columns: 40 });
    await chat.script(...SCRIPT.slice(1, 4));
    await chat.until(/✓ bash/);
    await chat.idle();
    await chat.keys("C-o");
    await chat.until("description: Shows the notes");
    // Where the line is cut depends on the width of the time.
    const shown = (await chat.shown("✓ edit")).replace(/, descr\w*…/, ", descr…");
    expect(shown).toMatchInlineSnapshot(`
      "✓ edit notes.txt +2 -1 TIME
        1   one
        2 - two
        2 + 2
        3 + zwei
        4   three
        Edited notes.txt at line 2 (+2 -1
        lines).

        --- notes.txt
        +++ notes.txt
        @@ -1,3 +1,4 @@
         one
        -two
        +2
        +zwei
         three

      ✓ write src/b.ts +1 -0 TIME
        1 + export const b = 2;
        Created src/b.ts (1 line, 20 bytes).

      ✓ bash $ cat notes.txt, descr… TIME
        description: Shows the notes
        cat notes.txt
        one
        2
        zwei
        three
      ────────────────────────────────────────

      ────────────────────────────────────────
      demo · default · call edit {"filePath":…"
    `);
  });
});
