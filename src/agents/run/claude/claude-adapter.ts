import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { AgentError } from "../../../core/agent-error.ts";
import type { AgentContext, AgentSessionOptions } from "../../../core/coding-agent.ts";
import { VERSION } from "../../../core/version.ts";
import { tryOrUndefined } from "../../../platform/values/try-or-undefined.ts";
import type { AgentAdapter } from "../adapted-agent.ts";
import { AgentDialogs } from "../agent-dialogs.ts";
import { importPackage, settingsCommand } from "../agent-packages.ts";
import { claudeAccess } from "./claude-access.ts";
import { ClaudeQuery } from "./claude-query.ts";
import { ASK_USER, answerQuestions } from "./claude-questions.ts";
import type { ClaudeSdk, QueryOptions, ToolDecision } from "./claude-sdk.ts";
import { ClaudeSession, type ClaudeSetup } from "./claude-session.ts";
import { ClaudeTools } from "./claude-tools.ts";
import { OUR_PREFIX, SERVER } from "./claude-turn.ts";

const SDK = { module: "@anthropic-ai/claude-agent-sdk", install: "@anthropic-ai/claude-agent-sdk@0.3" };

/** Claude, with the Claude Agent SDK: Claude Code in a process of its own, with our tools on an MCP server in this process. */
export function createClaudeAdapter(context: AgentContext): AgentAdapter {
  let sdk: ClaudeSdk;
  return {
    name: "claude",
    builtins: false,
    httpBuiltins: ["git-status", "git-diff-summary", "workspace-info", "file-reader"],
    keepsHistory: true,
    provider: "anthropic",
    needs: [SDK],
    start: async () => {
      sdk = await importPackage<ClaudeSdk>(SDK, context);
    },
    stop: async () => {},
    openSession: async (options, resumed) => {
      if (resumed !== undefined && !isStored(resumed, context)) {
        throw new AgentError("session_not_found", `Claude no longer has the session ${resumed}.`);
      }
      const tools = new ClaudeTools(options, {
        toolwrightHome: context.toolwrightHome,
        messageOf: (callID) => session.messageOf(callID),
      });
      const setup: ClaudeSetup = {
        baseUrl: options.baseUrl ?? context.env.ANTHROPIC_BASE_URL,
        history: options.history,
        open: (id) => {
          const begin = isStored(id, context) ? { resume: id } : { sessionId: id };
          const mcpServers = { [SERVER]: tools.createServer() };
          const own = queryOptions(options, context);
          return new ClaudeQuery(sdk, { ...own, ...begin, mcpServers }, settingsCommand("claude", context));
        },
        tools,
      };
      const session = new ClaudeSession(setup, resumed ?? crypto.randomUUID());
      return session;
    },
  };
}

/** Tools that need a dialog of Claude Code, act after the turn, or change the working directory. */
const UNUSABLE = [
  ...["EnterPlanMode", "ExitPlanMode"],
  ...["CronCreate", "CronDelete", "CronList", "ScheduleWakeup", "Monitor"],
  ...["EnterWorktree", "ExitWorktree"],
];

type OwnOptions = Omit<QueryOptions, "mcpServers" | "spawnClaudeCodeProcess">;

function queryOptions(options: AgentSessionOptions, context: AgentContext): OwnOptions {
  const { directory, model, systemPrompt, permit, ask } = options;
  return {
    cwd: directory,
    env: environment(options, context),
    ...(model === undefined ? {} : { model }),
    // Settings of a project may run commands.
    settingSources: context.trusted ? ["user", "project", "local"] : ["user"],
    // With a snapshot, Claude Code sends the model the tools of the first request until the session is compacted.
    systemPrompt: {
      type: "preset",
      preset: "claude_code",
      snapshot: false,
      ...(systemPrompt === undefined ? {} : { append: systemPrompt }),
    },
    strictMcpConfig: true,
    includePartialMessages: true,
    disallowedTools: UNUSABLE,
    // Our pipeline asks for our tools. Claude Code asks for all of its own, whatever its settings allow.
    permissionMode: "default",
    settings: { permissions: { allow: [`mcp__${SERVER}`] } },
    hooks: { PreToolUse: [{ matcher: `^(?!${OUR_PREFIX})`, hooks: [askAlways] }] },
    canUseTool: async (tool, input, { toolUseID: callID, signal }): Promise<ToolDecision> => {
      if (tool.startsWith(OUR_PREFIX)) return { behavior: "allow", updatedInput: input };
      const access = claudeAccess(tool, input, directory);
      const answer = await permit({ callID, tool, input, access, signal });
      if (!answer.allowed) return { behavior: "deny", message: answer.reason };
      if (tool === ASK_USER) return answerQuestions(input, new AgentDialogs(ask, { callID, tool, input, signal }));
      return { behavior: "allow", updatedInput: input };
    },
  };
}

const ASK = { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask" } };

async function askAlways(): Promise<object> {
  return ASK;
}

const QUIET = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: "false",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_TELEMETRY: "1",
};

/** The environment of Claude Code: it gets nothing else. */
function environment({ baseUrl }: AgentSessionOptions, { env }: AgentContext): QueryOptions["env"] {
  // Set if this process runs in Claude Code, which then refuses to start.
  const { CLAUDECODE: _, ...own } = env;
  return {
    ...QUIET,
    // Our pipeline cuts the output of our tools.
    MAX_MCP_OUTPUT_TOKENS: "1000000",
    ...own,
    // The end of a command in the background would start a turn without a prompt.
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
    CLAUDE_AGENT_SDK_CLIENT_APP: `toolwright/${VERSION}`,
    // Claude Code adds the version of the API.
    ...(baseUrl === undefined ? {} : { ANTHROPIC_BASE_URL: baseUrl.replace(/\/(v1\/?)?$/, "") }),
  };
}

/** Whether Claude Code has stored a session with this id. */
function isStored(id: string, { env, home }: AgentContext): boolean {
  const projects = join(env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? home, ".claude"), "projects");
  const folders = tryOrUndefined(() => readdirSync(projects)) ?? [];
  return folders.some((folder) => existsSync(join(projects, folder, `${id}.jsonl`)));
}
