import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { limitsOf } from "../../fitting/client-limits.ts";
import { guardFolder } from "../../process/process-guard.ts";
import { type AcpProgram, entryOf } from "./acp-program.ts";

const SERVER = "toolwright";

/** Gemini asks us neither before our own tools, nor without our server's name; it asks before a web search too. */
const POLICY = `[[rule]]
mcpName = "${SERVER}"
decision = "allow"
priority = 999

[[rule]]
toolName = "google_web_search"
decision = "ask_user"
priority = 998
`;

export const gemini: AcpProgram = {
  program: { programs: ["gemini"], args: ["--acp"], install: "@google/gemini-cli @agentclientprotocol/sdk@2" },
  server: SERVER,
  limits: limitsOf({ name: "gemini-cli" }),
  prepare: async ({ options: { model, baseUrl, systemPrompt }, server }) => {
    const folder = await mkdtemp(join(tmpdir(), "toolwright-gemini-"));
    const release = guardFolder(folder);
    const policy = join(folder, "policy.toml");
    await writeFile(policy, POLICY);
    return {
      args: [
        ...["--skip-trust", "--approval-mode", "default", "--admin-policy", policy],
        ...(model === undefined ? [] : ["--model", model]),
      ],
      env: {
        // Its first process would start a second one that survives SIGTERM.
        GEMINI_CLI_NO_RELAUNCH: "true",
        ...(baseUrl === undefined ? {} : { GOOGLE_GEMINI_BASE_URL: baseUrl }),
      },
      servers: [entryOf(SERVER, server)],
      ...(systemPrompt === undefined ? {} : { preface: systemPrompt }),
      remove: async () => {
        await rm(folder, { recursive: true, force: true });
        release();
      },
    };
  },
  // A shell command has the kind "execute", whatever its title is. Gemini tells neither the name of a tool nor its input.
  ourTool: ({ title, kind }) => {
    const [, listed] = new RegExp(`^(.+) \\(${SERVER} MCP Server\\)$`).exec(title ?? "") ?? [];
    return listed === undefined || kind !== "other" ? undefined : { listed };
  },
  toolName: ({ toolCallId, kind }) => /^([a-z]\w*?)__/.exec(toolCallId)?.[1] ?? kind ?? "tool",
};
