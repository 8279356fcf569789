import { createHash } from "node:crypto";
import type { AgentContext, AgentSessionOptions } from "../../../core/coding-agent.ts";
import { tryOrUndefined } from "../../../platform/values/try-or-undefined.ts";
import type { OpencodePrompt, OpencodeRule } from "./opencode-sdk.ts";

/** The provider of a model that is named with `baseUrl`. */
const PROVIDER = "toolwright";

/** What one server of OpenCode is started with. Sessions with the same value share a server. */
export type ServerOptions = Pick<AgentSessionOptions, "model" | "baseUrl">;

/** Without `baseUrl`, the model is part of each prompt. */
export function serverOptions({ model = "", baseUrl }: AgentSessionOptions): ServerOptions {
  return baseUrl === undefined ? {} : { model, baseUrl };
}

/**
 * The permissions of OpenCode's own tools, for all of its agents. It asks about all calls, and our rules decide. It does not ask
 * about what is harmless, or is followed by a question about the same call: a folder outside of the project, a repeated call, the
 * tools of a sub-agent. No one can answer the questions of its model.
 */
const PERMISSION = {
  "*": "ask",
  todowrite: "allow",
  todoread: "allow",
  skill: "allow",
  task: "allow",
  external_directory: "allow",
  doom_loop: "allow",
  question: "deny",
  "toolwright*": "deny",
} as const;

/** More than our own limits, so that OpenCode does not cut what we have cut. */
const TOOL_OUTPUT = { max_lines: 2_100, max_bytes: 65_536 };

const IMAGES = { attachment: true, modalities: { input: ["text", "image"], output: ["text"] } };
const CONTEXT = { context: 128_000, output: 16_384 };

/** The environment of a server: the user's, with settings that are added to those in OpenCode's files. */
export function serverEnv(
  { env, trusted }: AgentContext,
  { model = "", baseUrl }: ServerOptions,
  password: string,
): NodeJS.ProcessEnv {
  const own = {
    permission: PERMISSION,
    tool_output: TOOL_OUTPUT,
    // `toolwright install opencode` adds a server of this name: its tools are those of the session.
    mcp: { toolwright: { enabled: false } },
    ...(baseUrl === undefined
      ? {}
      : {
          model: `${PROVIDER}/${model}`,
          small_model: `${PROVIDER}/${model}`,
          provider: {
            [PROVIDER]: {
              npm: "@ai-sdk/openai-compatible",
              name: baseUrl,
              options: { baseURL: baseUrl, apiKey: env.OPENAI_API_KEY || "none" },
              models: { [model]: { name: model, tool_call: true, limit: CONTEXT, ...IMAGES } },
            },
          },
        }),
  };
  return {
    ...env,
    OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...parsed(env.OPENCODE_CONFIG_CONTENT), ...own }),
    OPENCODE_PERMISSION: undefined,
    OPENCODE_SERVER_USERNAME: "opencode",
    OPENCODE_SERVER_PASSWORD: password,
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    // Its project files name commands to run.
    ...(trusted ? {} : { OPENCODE_DISABLE_PROJECT_CONFIG: "1" }),
  };
}

function parsed(json: string | undefined): object {
  return tryOrUndefined(() => JSON.parse(json ?? "{}")) ?? {};
}

/** The name of the MCP server of a session: sessions share a server of OpenCode. The model sees tools as `NAME_TOOL`. */
export function entryName(sessionID: string): string {
  return `toolwright-${createHash("sha256").update(sessionID).digest("hex").slice(0, 5)}`;
}

/** The names of OpenCode's own tools. A tool of ours with such a name does not hide them. */
const OWN_TOOLS = new Set(
  "bash read glob grep list edit write multiedit apply_patch patch task webfetch websearch codesearch todowrite todoread skill question lsp invalid execute plan_enter plan_exit".split(
    " ",
  ),
);

/**
 * The rules of a session: it has its own entry and none of another session. OpenCode also loads the tool files in `.opencode`:
 * those that are tools of ours are hidden. `userPermission` is the setting of OpenCode, whose denials stay.
 */
export function sessionRules(entry: string, tools: readonly string[], userPermission: unknown): OpencodeRule[] {
  const copies = tools.filter((name) => !OWN_TOOLS.has(name));
  return [
    ...denials(userPermission),
    ...copies.map((permission) => ({ permission, pattern: "*", action: "deny" }) as const),
    { permission: `${entry}_*`, pattern: "*", action: "allow" },
  ];
}

function denials(permission: unknown): OpencodeRule[] {
  if (typeof permission !== "object" || permission === null) return [];
  return Object.entries(permission).flatMap(([name, value]): OpencodeRule[] => {
    if (Object.hasOwn(PERMISSION, name)) return [];
    const patterns = typeof value === "object" && value !== null ? Object.entries(value) : [["*", value] as const];
    return patterns
      .filter(([, action]) => action === "deny")
      .map(([pattern]) => ({ permission: name, pattern, action: "deny" }));
  });
}

/** Without `baseUrl`, a model is named `provider/model`. Undefined if it is not. */
export function modelOf({ model, baseUrl }: AgentSessionOptions): OpencodePrompt["model"] {
  if (model === undefined) return undefined;
  if (baseUrl !== undefined) return { providerID: PROVIDER, modelID: model };
  const [providerID = "", ...rest] = model.split("/");
  const modelID = rest.join("/");
  return providerID === "" || modelID === "" ? undefined : { providerID, modelID };
}
