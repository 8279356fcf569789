import { describe, expect, it } from "vitest";
import { sandbox } from "../support/fixture.ts";
import { BUN_FOLDER, installed } from "../support/installed.ts";
import { TAMPERS } from "../support/tampering.ts";
import { answering, open } from "../support/toolbox.ts";

const line = (message: unknown): string => `${JSON.stringify(message)}\n`;

const missing = await installed("bun");

describe.skipIf(missing)(
  `[P5] a tool that writes to the channel of its own Bun process ends that process, not ours${missing ? ` (${missing})` : ""}`,
  () => {
    it.each([
      ["{ not json\n", "it sent a line that is not JSON"],
      ["null\n", "it sent an invalid message (not an object)"],
      [line({ type: "ending", reason: "x", begun: 5 }), 'it sent an invalid message ("ending": "begun" is not valid)'],
      [line({ cmd: "NODE_HANDLE", type: "no such handle" }), "it sent an invalid message (unknown type "],
      [line({ cmd: "NODE_HANDLE_ACK" }), "it sent an invalid message (unknown type "],
      [line({ cmd: "NODE_HANDLE_NACK" }), "it sent an invalid message (unknown type "],
    ])("%s", async (bytes, why) => {
      const at = sandbox({
        "tampers.ts": TAMPERS.replace("const all", "Bun.gc(false); const all"),
        "other.ts": answering("Bun.version.slice(0, 2)"),
      });
      const env = { ...at.env, PATH: `${BUN_FOLDER}:${at.env.PATH}` };
      const { toolbox, say } = await open({ ...at, env });
      expect(await toolbox.call({ name: "tampers", input: { bytes } }).result).toMatchObject({
        ok: false,
        error: { code: "crashed", message: expect.stringContaining(why) },
      });
      expect(await say("other")).toBe("1.");
    });
  },
);
