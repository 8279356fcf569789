import { describe, expect, it } from "vitest";
import { openBuiltins } from "../../support/builtins.ts";

const first = { id: "1", content: "Read the issue", status: "completed", priority: "high" };
const second = { id: "2", content: "Mend it", status: "in_progress", priority: "medium" };

describe("[B10] the to-do list", () => {
  it("is written as a whole and read back, separately for each session", async () => {
    const { call, say } = await openBuiltins();
    expect(await say("todoread")).toBe("The to-do list is empty.");
    const written = await call("todowrite", { todos: [first, second] });
    expect(written).toMatchObject({
      ok: true,
      data: { todos: [first, second], before: [] },
      notes: { title: "1 of 2 to-dos open" },
    });
    expect(JSON.parse(await say("todoread"))).toEqual([first, second]);
    expect(await say("todoread", {}, { sessionID: "another" })).toBe("The to-do list is empty.");
    expect(await call("todowrite", { todos: [second] })).toMatchObject({ data: { before: [first, second] } });
    expect(JSON.parse(await say("todoread"))).toEqual([second]);
    expect(await say("todowrite", { todos: [] })).toBe("The to-do list is empty.");
  });

  it("[B10] outlives the toolbox if the caller stores the session state and passes it on", async () => {
    const one = await openBuiltins();
    const kept: Record<string, unknown> = {};
    one.toolbox.on("session", ({ sessionID, action }) => {
      if (sessionID === "s" && action.type === "state") kept[action.key] = action.value;
    });
    await one.call("todowrite", { todos: [first] }, { sessionID: "s" });
    expect(kept).toEqual({ todos: [first] });

    const two = await openBuiltins();
    await two.toolbox.sessions.start("s", { resumed: true, state: kept });
    expect(JSON.parse(await two.say("todoread", {}, { sessionID: "s" }))).toEqual([first]);
    await two.call("todowrite", { todos: [second] }, { sessionID: "s" });
    // The values that tools have written since take precedence over those of the caller.
    const said = await two.say("todoread", {}, { sessionID: "s", session: { state: kept } });
    expect(JSON.parse(said)).toEqual([second]);
  });

  it("explains what is wrong with a list", async () => {
    const { say } = await openBuiltins({}, { settings: { toolLimits: { todowrite: { items: 2, characters: 20 } } } });
    expect(await say("todowrite", { todos: [{ ...first, status: "done" }] })).toBe(
      `The input for "todowrite" is not valid:
- /todos/0/status: Invalid option: expected one of "pending"|"in_progress"|"completed"|"cancelled", received "done"
Correct it and call the tool again.`,
    );
    expect(await say("todowrite", {})).toBe(
      `The input for "todowrite" is not valid:
- /todos: is required, expected array
Correct it and call the tool again.`,
    );
    expect(await say("todowrite", { todos: [first, first] })).toBe(
      'Two items have the id "1". Give each item its own id.',
    );
    const third = { ...first, id: "3" };
    expect(await say("todowrite", { todos: [first, second, third] })).toBe(
      "A list has at most 2 items, and this has 3. Remove completed items.",
    );
    expect(await say("todowrite", { todos: [{ ...first, content: "x".repeat(21) }] })).toBe(
      'The item "1" is longer than 20 characters. Shorten it.',
    );
    expect(await say("todoread")).toBe("The to-do list is empty.");
  });

  it("[P3] has no access, so it is allowed in every mode, and can be denied like any tool", async () => {
    const { call } = await openBuiltins({}, { settings: { mode: "plan" }, callerIsAsked: false });
    expect((await call("todowrite", { todos: [first] })).ok).toBe(true);
    const denied = await openBuiltins({}, { settings: { permissions: [{ tool: "todo*", action: "deny" }] } });
    expect(await denied.say("todoread")).toBe(
      '"todoread" was not allowed to run. The tool "todoread", which declares that it touches nothing, is denied by the user\'s rule {"tool":"todo*","action":"deny"}. Do not retry it in another form. Find another way, or tell the user which rule denies it.',
    );
  });
});
