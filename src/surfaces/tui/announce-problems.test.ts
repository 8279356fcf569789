import { expect, it } from "vitest";
import { sandbox, writeTool } from "../../../test/support/fixture.ts";
import { answering, open } from "../../../test/support/toolbox.ts";
import { announceProblems } from "./announce-problems.ts";

it("[U2][U6] a tool file that cannot be read is announced once, and again when it can be read", async () => {
  const at = sandbox({ "greet.ts": answering('"Hi"') });
  const { toolbox } = await open(at);
  const notices: string[] = [];
  const stop = announceProblems(toolbox, (text, kind) => notices.push(`${kind}: ${text}`));
  await toolbox.ready();
  writeTool(at, "greet.ts", "export default {{");
  await toolbox.reload();
  writeTool(at, "greet.ts", "\nexport default {{");
  await toolbox.reload();
  writeTool(at, "greet.ts", answering('"Hello"'));
  await toolbox.reload();
  stop();
  expect(notices).toEqual([
    "warning: .toolwright/tools/greet.ts:1:17: Unexpected token. Correct it and save.",
    "info: .toolwright/tools/greet.ts: no problems now.",
  ]);
});
