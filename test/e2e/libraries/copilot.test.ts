import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { toCopilotTools } from "../../../src/surfaces/libraries/index.ts";
import { CHAT } from "../../support/agents/chat-wire.ts";
import { MODULES } from "../../support/installed.ts";
import { describeLibrary } from "../../support/libraries/describe-library.ts";

await describeLibrary({
  title: "toCopilotTools",
  package: "copilot-sdk",
  wire: CHAT,
  // The runtime moves limits to descriptions.
  noteSchema: {
    type: "object",
    properties: {
      text: { type: "string", description: "The line to repeat.\n\n{minLength: 1}" },
      times: { type: "integer", default: 2, description: "How often.\n\n{minimum: 1, maximum: 9}" },
      tone: { type: "string", enum: ["loud", "quiet"] },
    },
    required: ["text"],
  },
  carriesImages: true,
  carriesPdfs: false,
  showsProgress: false,
  passesCallIDs: true,
  ownSession: /^[\w-]{8,}$/,
  async ask({ toolbox, at, origin, prompt, sessionID, signal }) {
    const { CopilotClient } = await import(join(MODULES["copilot-sdk"], "@github/copilot-sdk/dist/index.js"));
    const TMPDIR = join(at.root, "tmp");
    mkdirSync(TMPDIR, { recursive: true });
    const client = new CopilotClient({
      baseDirectory: at.home,
      workingDirectory: at.project,
      useLoggedInUser: false,
      env: { ...at.env, TMPDIR },
    });
    try {
      const session = await client.createSession({
        model: "scripted",
        provider: { type: "openai", wireApi: "completions", baseUrl: `${origin}/v1`, apiKey: "dummy" },
        largeOutput: { enabled: false },
        modelCapabilities: { supports: { vision: true } },
        onPermissionRequest: () => ({ kind: "approve-once" }),
        tools: toCopilotTools(toolbox, { agent: "tester", ...(sessionID === undefined ? {} : { sessionID }) }),
      });
      signal.addEventListener("abort", () => void session.abort());
      return (await session.sendAndWait({ prompt }, 60_000))?.data.content ?? "";
    } finally {
      await client.stop();
    }
  },
});
