import { knownAgents } from "../../../agents/run/known-agents.ts";
import type { Mode } from "../../../core/permission-mode.ts";
import { defined } from "../../../platform/values/defined.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import type { Invocation } from "../args/command.ts";
import { printable } from "../output/print.ts";
import { readLine, terminalApprover } from "../prompt.ts";
import { withToolbox } from "../with-toolbox.ts";
import { type PermissionFlags, sayHowToResume, sessionToResume, warningsOf } from "./chat-options.ts";
import { agentFor } from "./chosen-agent.ts";
import { printTurn } from "./print-turn.ts";

/** A chat for terminals that cannot move the cursor: each line is a prompt, and turns are printed as with `-p`. */
export async function lineChat(invocation: Invocation, { mode, rules }: PermissionFlags): Promise<number> {
  const approve = terminalApprover(invocation, "this chat");
  // As in the interactive chat, the mode is that of the session.
  const permissions = { rules };
  const options = { agents: knownAgents, sessions: "disk", permissions, ...(approve ? { approve } : {}) } as const;
  return withToolbox(invocation, (toolbox) => converse(toolbox, mode, invocation), options);
}

async function converse(toolbox: Toolbox, mode: Mode | undefined, invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const resumed = await sessionToResume(toolbox, invocation);
  const agent = await agentFor(toolbox, resumed, invocation);
  const sessionID = resumed?.id ?? crypto.randomUUID();
  const notices = [`Chat with ${agent}. Type a prompt. To leave: /quit`, ...warningsOf(toolbox, invocation)];
  // Warnings name files, whose names are not trusted.
  terminal.stderr.report(`${notices.map(printable).join("\n")}\n`);
  let isBegun = resumed !== undefined;
  for (;;) {
    const line = await readLine(terminal, "> ");
    if (line === undefined || /^\/(?:quit|exit)$/.test(line)) break;
    if (line === "") continue;
    if (line.startsWith("/")) terminal.stderr.report(NO_COMMANDS);
    else {
      isBegun = true;
      await printTurn(toolbox, { sessionID, prompt: line, agent, ...defined({ mode }) }, invocation);
    }
  }
  if (isBegun) sayHowToResume(sessionID, invocation, true);
  return 0;
}

const NO_COMMANDS =
  'Commands need a terminal that can move the cursor: TERM is "dumb" here. To leave: /quit. A prompt cannot begin with a slash.\n';
