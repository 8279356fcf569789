import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AgentError } from "../../../core/agent-error.ts";
import { SESSION_URL_VARIABLE } from "../../../core/agent-extension.ts";
import type { AgentContext } from "../../../core/coding-agent.ts";
import type { Access } from "../../../core/tool.ts";
import { packageFile } from "../../../platform/files/package-files.ts";
import { limitsOf } from "../../../surfaces/client-limits/client-limits.ts";
import { pathAccess } from "../access-path.ts";
import { findCommand } from "../agent-packages.ts";
import { leavesFolder, namedPaths, runsElsewhere } from "../declared-paths.ts";
import { type AcpProgram, recordOf } from "./acp-program.ts";

const PI = { name: "pi-program", program: "pi", install: "@earendil-works/pi-coding-agent" };

/**
 * pi, through pi-acp. pi has no MCP and asks no questions, so an extension of ours in its process does both. It is loaded by a script
 * that pi-acp starts instead of pi: nothing is written into the user's folders.
 */
export const pi: AcpProgram = {
  program: { programs: ["pi-acp"], install: "pi-acp @earendil-works/pi-coding-agent @agentclientprotocol/sdk@2" },
  starts: [PI],
  builtins: ["todowrite", "todoread"],
  server: "toolwright",
  limits: limitsOf({ name: "pi" }),
  resumesWith: "session/load",
  prepare: async ({ options: { model, baseUrl, systemPrompt }, context, server, folder }) => {
    if (baseUrl !== undefined && model === undefined) throw new AgentError("unsupported", NEEDS_MODEL);
    const [program = "", ...args] = piCommand(context);
    return {
      env: {
        PI_ACP_PI_COMMAND: await writeScript(folder, args),
        PI_SKIP_VERSION_CHECK: "1",
        PI_TELEMETRY: "0",
        [SESSION_URL_VARIABLE]: server.url,
        TOOLWRIGHT_PI: program,
        TOOLWRIGHT_PI_EXTENSION: packageFile("pi-session"),
        TOOLWRIGHT_PI_MODEL: baseUrl === undefined ? (model ?? "") : `toolwright/${model}`,
        TOOLWRIGHT_PI_MODEL_ID: model ?? "",
        TOOLWRIGHT_PI_BASE_URL: baseUrl ?? "",
        TOOLWRIGHT_PI_SYSTEM_PROMPT: systemPrompt ?? "",
      },
      servers: [],
    };
  },
  // The title of a call is the name of its tool, except for questions of extensions, and for commands of pi's bash.
  ourTool: ({ toolCallId, title, kind, rawInput }) =>
    toolCallId.startsWith("pi-ui-") || kind === "execute" || !title ? undefined : { listed: title, input: rawInput },
  toolName: ({ title, kind }) => (kind === "execute" ? "bash" : (title ?? kind ?? "tool")),
  access: accessOf,
  isNotice: (text) => /^Retrying \(attempt \d+\/\d+, waiting [^)]*\)\.\.\.$/.test(text.trim()),
};

const NEEDS_MODEL = "pi needs the name of a model for another address: name it with --model.";

/** The command of pi itself: that of pi-acp's variable, if the user has set it. */
function piCommand(context: AgentContext): readonly string[] {
  const { PI_ACP_PI_COMMAND: set } = context.env;
  return set ? [set] : findCommand(PI, context);
}

/** Values are variables, so that none of them is code of a shell. */
async function writeScript(folder: string, args: readonly string[]): Promise<string> {
  if (args.length > 0) throw new AgentError("unsupported", 'The program "pi" must be one path, without arguments.');
  const isWindows = process.platform === "win32";
  const file = join(folder, isWindows ? "pi.cmd" : "pi");
  await writeFile(file, isWindows ? WINDOWS_SCRIPT : SCRIPT);
  await chmod(file, 0o700);
  return file;
}

const SCRIPT = `#!/bin/sh
set -- -e "$TOOLWRIGHT_PI_EXTENSION" "$@"
[ -z "$TOOLWRIGHT_PI_MODEL" ] || set -- --model "$TOOLWRIGHT_PI_MODEL" "$@"
[ -z "$TOOLWRIGHT_PI_SYSTEM_PROMPT" ] || set -- --append-system-prompt "$TOOLWRIGHT_PI_SYSTEM_PROMPT" "$@"
exec "$TOOLWRIGHT_PI" "$@"
`;

const WINDOWS_SCRIPT = `@echo off
if "%TOOLWRIGHT_PI_MODEL%"=="" ("%TOOLWRIGHT_PI%" -e "%TOOLWRIGHT_PI_EXTENSION%" %*) else ("%TOOLWRIGHT_PI%" --model "%TOOLWRIGHT_PI_MODEL%" -e "%TOOLWRIGHT_PI_EXTENSION%" %*)
`;

/** The tools of pi, by the fields of their input. */
function accessOf(tool: string, input: unknown, directory: string): readonly Access[] {
  const { command, pattern } = recordOf(input);
  const named = namedPaths(input);
  const paths = named.length === 0 ? ["."] : named;
  if (tool === "bash" && typeof command === "string" && !runsElsewhere(input, directory)) {
    return [{ kind: "execute", target: command }];
  }
  if (tool === "find" && leavesFolder(pattern)) return ["undeclared"];
  if (tool === "write" || tool === "edit") return pathAccess("write", paths, directory);
  return ["read", "grep", "find", "ls"].includes(tool) ? pathAccess("read", paths, directory) : ["undeclared"];
}
