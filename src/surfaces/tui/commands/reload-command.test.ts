import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sandbox, writeTool } from "../../../../test/support/fixture.ts";
import { RecordedChat } from "../../../../test/support/recorded-chat.ts";
import { answering, open } from "../../../../test/support/toolbox.ts";
import { trustProject } from "../../../catalog/discovery/trusted-projects.ts";
import { runLine } from "./run-line.ts";

describe("/reload", () => {
  it("[U3] says which tools were added, removed and changed, and which problems are new and solved", async () => {
    const at = sandbox({ "a.ts": answering("1"), "b.ts": answering("1"), "c.ts": "export default {" });
    const { toolbox } = await open(at);
    const chat = new RecordedChat(toolbox);
    await runLine("/reload", chat);
    expect(chat.taken()).toBe("No definition of a tool has changed.\n\n2 tools, 1 problem. To see them: `/context`");
    rmSync(join(at.tools, "a.ts"));
    writeTool(at, "b.ts", answering("1", "Answers better."));
    writeTool(at, "c.ts", answering("1"));
    writeTool(at, "d.ts", "export default 1;");
    await runLine("/reload", chat);
    const lines = chat.taken().split("\n");
    expect(lines).toEqual([
      "- Added: `c`",
      "- Removed: `a`",
      "- Changed: `b`",
      "- New problems:",
      expect.stringMatching(/^ {2}- `\.toolwright\/tools\/d\.ts(:\d+)*` .+$/),
      "- Solved:",
      expect.stringMatching(/^ {2}- `\.toolwright\/tools\/c\.ts:\d+:\d+` .+$/),
      "",
      "2 tools, 1 problem. To see them: `/context`",
    ]);
  });

  it("[D6] serves the tools of a project that was trusted meanwhile", async () => {
    const at = sandbox({ "a.ts": answering("1") });
    const { toolbox } = await open(at, { trust: false });
    await trustProject(at.project, at.env.TOOLWRIGHT_HOME as string);
    const chat = new RecordedChat(toolbox);
    await runLine("/reload", chat);
    expect(chat.taken()).toBe("- Added: `a`\n\n1 tool, 0 problems.");
  });
});
