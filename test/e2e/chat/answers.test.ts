import { describe, expect, it } from "vitest";
import { CHAT_TOOLS, QUIET_SETTINGS } from "../../support/terminal/chat-tools.ts";
import { type Chat, chatProject } from "../../support/terminal/chat-world.ts";
import { missing, skipped } from "../../support/terminal/tmux.ts";

const opened = (options: object = {}): Promise<Chat> =>
  chatProject({ files: CHAT_TOOLS, settings: QUIET_SETTINGS }).open(options);

describe.skipIf(missing !== undefined)(`[U2] answers in the chat${skipped}`, () => {
  it("[U2] streams an answer in Markdown, and names agent and mode below the input", async () => {
    const chat = await opened();
    expect(await chat.status()).toBe("demo · default");
    await chat.script(
      "say ## Plan",
      "say First **this**, then `that`:",
      "say - one",
      "say - two",
      "sleep 1500",
      "say Done.",
    );
    const early = await chat.until(/^- two$/m);
    expect(early).not.toMatch(/^Done\.$/m);
    expect(early).toContain("Esc stops");
    await chat.idle();
    expect(await chat.shown("❯")).toMatchInlineSnapshot(`
      "❯ say ## Plan
        say First **this**, then \`that\`:
        say - one
        say - two
        sleep 1500
        say Done.

      Plan

      First this, then that:
      - one
      - two
        Done.
      ────────────────────────────────────────────────────────────────────────────────────────────────────

      ────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default · say ## Plan"
    `);
  });

  it("[U2] highlights code", async () => {
    const chat = await opened();
    await chat.script("say ```js", 'say const name = "value"; // note', "say ```");
    await chat.idle();
    const line = (await chat.screen({ colors: true })).split("\n").findLast((each) => each.includes("const"));
    expect(line).toMatch(/\x1b\[[\d;]+mconst\x1b/);
    expect(line).toMatch(/\x1b\[[\d;]+m"value"/);
    expect(line).toMatch(/\x1b\[[\d;]+m\/\/ note/);
  });

  it("[U2] shows a call with its input, live progress, its result and its duration", async () => {
    const chat = await opened();
    await chat.script('call steps {"ms":700}', "say That was it.");
    for (const step of [1, 2, 3]) await chat.until(`Step ${step} of 3`);
    await chat.idle();
    expect(await chat.shown("steps")).toMatchInlineSnapshot(`
      "❯ call steps {"ms":700}
        say That was it.

      ✓ steps ms: 700 TIME
        line 1
        line 2
        line 3
        All steps are done.

      That was it.
      ────────────────────────────────────────────────────────────────────────────────────────────────────

      ────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default · call steps {"ms":700}"
    `);
  });

  it("[U2] shows why a call failed", async () => {
    const chat = await opened();
    await chat.script("call fails", 'call greet {"nme":"x"}', "call nothing_like_it", "say Over.");
    await chat.idle();
    expect(await chat.shown("fails")).toMatchInlineSnapshot(`
      "❯ call fails
        call greet {"nme":"x"}
        call nothing_like_it
        say Over.

      ✗ fails TIME
        The flux is too low. Raise it with --flux.

      ✗ greet x TIME
        The input for "greet" is not valid:
        - /name: is required, expected string
        Correct it and call the tool again.

      ✗ nothing_like_it TIME
        There is no tool "nothing_like_it". List the tools to see all names.

      Over.
      ────────────────────────────────────────────────────────────────────────────────────────────────────

      ────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default · call fails"
    `);
  });

  it("[U2] Ctrl-O shows cards in full, and collapsed again", async () => {
    const chat = await opened({ rows: 50 });
    await chat.script('call lines {"count":30}', "say Over.");
    await chat.idle();
    const collapsed = await chat.shown("lines");
    expect(collapsed).toMatchInlineSnapshot(`
      "❯ call lines {"count":30}
        say Over.

      ✓ lines count: 30 TIME
        row 1
        row 2
        row 3
        row 4
        row 5
        row 6
        row 7
        row 8
        … 22 more lines (Ctrl-O expands)

      Over.
      ────────────────────────────────────────────────────────────────────────────────────────────────────

      ────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default · call lines {"count":30}"
    `);
    await chat.keys("C-o");
    await chat.until((screen) =>
      Array.from({ length: 30 }, (_, row) => `row ${row + 1}\n`).every((row) => screen.includes(row)),
    );
    await chat.keys("C-o");
    await chat.until((screen) => !screen.includes("row 29\n"));
    expect(await chat.shown("lines")).toBe(collapsed);
  });

  it("[U5] shows what the tool's own renderers draw: the call, partial results, the result, expanded", async () => {
    const chat = await opened();
    await chat.script('call card {"city":"Oslo"}', "say Over.");
    await chat.until("OWN CALL for Oslo");
    await chat.until(/OWN PARTIAL step \d+/);
    await chat.until("OWN RESULT 4.5 degrees");
    await chat.idle();
    const screen = await chat.shown("OWN CALL");
    expect(screen).not.toContain("OWN PARTIAL");
    expect(screen).not.toContain("plain: 4.5");
    expect(screen).toMatchInlineSnapshot(`
      "✓ OWN CALL for Oslo
        OWN RESULT 4.5 degrees

      Over.
      ────────────────────────────────────────────────────────────────────────────────────────────────────

      ────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default · call card {"city":"Oslo"}"
    `);
    const colored = await chat.screen({ colors: true });
    expect(colored).toMatch(/\x1b\[[\d;]+mOWN RESULT 4\.5 degrees/);
    await chat.keys("C-o");
    await chat.until("EXPANDED DETAILS");
    await chat.resize(60, 30);
    await chat.until("EXPANDED DETAILS");
  });

  it("[U5] shows plain text if a renderer throws or takes longer than 200 ms, and takes keys meanwhile", async () => {
    const chat = await opened();
    await chat.script("call broken_renderer", "call slow_renderer", "say Over.");
    await chat.until("plain text of broken");
    await chat.type("typed meanwhile");
    await chat.until("typed meanwhile");
    await chat.until("plain text of slow");
    await chat.until((screen) => screen.includes("Over.") && !screen.includes("Esc stops"));
    expect(await chat.shown("broken_renderer")).toMatchInlineSnapshot(`
      "❯ call broken_renderer
        call slow_renderer
        say Over.

      ✓ broken_renderer TIME
        plain text of broken

      ✓ slow_renderer TIME
        plain text of slow

      Over.
      ────────────────────────────────────────────────────────────────────────────────────────────────────
      typed meanwhile
      ────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default · call broken_renderer"
    `);
    const all = await chat.scrollback();
    for (const hidden of ["no call for you", "no result for you", "SLOW CALL", "SLOW RESULT"])
      expect(all).not.toContain(hidden);
  });

  it("[U2] names an image that the terminal cannot show", async () => {
    const chat = await opened();
    await chat.script("call picture", "say Over.");
    await chat.idle();
    expect(await chat.shown("picture")).toMatchInlineSnapshot(`
      "❯ call picture
        say Over.

      ✓ picture TIME
        Here it is.
        [image: image/png, 162 bytes]

      Over.
      ────────────────────────────────────────────────────────────────────────────────────────────────────

      ────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default · call picture"
    `);
  });

  it("[U2] shows a part of 5 MB, says what is missing, and takes keys", async () => {
    const chat = await opened();
    await chat.script("call huge", "say Over.");
    await chat.idle();
    expect(await chat.shown("huge")).toMatchInlineSnapshot(`
      "❯ call huge
        say Over.

      ✓ huge TIME
        00000000 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
        00000001 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
        00000002 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
        00000003 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
        00000004 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
        00000005 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
        00000006 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
        00000007 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
        … 470 more lines (Ctrl-O expands)

      Over.
      ────────────────────────────────────────────────────────────────────────────────────────────────────

      ────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default · call huge"
    `);
    await chat.keys("C-o");
    await chat.type("still here");
    await chat.until("still here");
  });

  it("[U2] shows progress that comes 1,000 times a second, and takes keys", async () => {
    const chat = await opened();
    await chat.script('call flood {"seconds":4}', "say Over.");
    await chat.until(/count \d\d\d/);
    await chat.type("typed in the flood");
    expect(await chat.until("typed in the flood")).toMatch(/count \d+/);
    await chat.until(/Counted\.[\s\S]*Over\./);
  });

  it("[U2] keeps wide, combining and right-to-left text in its lines", async () => {
    const chat = await opened({ columns: 60 });
    await chat.script(
      `say ${"漢字かな".repeat(12)}`,
      `say ${"e\u0301a\u0308".repeat(30)}`,
      `say ${"👩‍👩‍👧‍👦🇩🇪".repeat(8)} שלום עולם مرحبا`,
      "say | a | b |",
      "say |---|---|",
      "say | 漢字 | x |",
    );
    await chat.idle();
    const lines = (await chat.screen()).split("\n");
    const input = await chat.input();
    expect(input).toBe("");
    expect(await chat.status()).toMatch(/^demo · default · say 漢字/);
    expect(lines.filter((line) => line.includes("漢字かな")).length).toBeGreaterThan(1);
    await chat.type("漢字 e\u0301 x");
    await chat.until("漢字 e\u0301 x");
  });
});
