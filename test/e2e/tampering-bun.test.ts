import { describe, expect, it } from "vitest";
import { sandbox } from "../support/fixture.ts";
import { BUN_FOLDER, installed } from "../support/installed.ts";
import { TAMPERS } from "../support/tampering.ts";
import { answering, open } from "../support/toolbox.ts";

const line = (message: unknown): string => `${JSON.stringify(message)}\n`;

const NOT_OURS = "it sent an invalid message (not written by Toolwright)";

const missing = await installed("bun");

describe.skipIf(missing)(
  `[P5] a tool that writes to the channel of its Bun process ends that process, not the serving one${missing ? ` (${missing})` : ""}`,
  () => {
    it.each([
      ["{ not json\n", "it sent a line that is not JSON"],
      ["null\n", NOT_OURS],
      [line({ type: "pong" }), NOT_OURS],
      [line({ message: { type: "pong" } }), NOT_OURS],
      [line({ key: "0123456789abcdef", message: { type: "pong" } }), NOT_OURS],
      [line({ type: "ending", reason: "x", started: 5 }), NOT_OURS],
      [line({ cmd: "NODE_HANDLE", type: "no such handle" }), NOT_OURS],
      [line({ cmd: "NODE_HANDLE_ACK" }), NOT_OURS],
      [line({ cmd: "NODE_HANDLE_NACK" }), NOT_OURS],
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
