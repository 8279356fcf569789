import type { Installation, SurveyedClient } from "../../clients/survey-clients.ts";
import { surroundingsOf } from "./client-targets.ts";
import type { Invocation } from "./command.ts";
import type { Finding } from "./finding.ts";
import { ownLaunch } from "./own-launch.ts";
import { pingServer } from "./ping-server.ts";
import { shownPath } from "./print.ts";

/**
 * Of each agent that is here: whether our server is in its configuration, and whether what it starts answers. What the
 * files of a project say is started only where the project is trusted: it may call anything by our name.
 */
export async function agentFindings(invocation: Invocation, { trusted }: { trusted: boolean }): Promise<Finding[]> {
  const { surveyClients } = await import("../../clients/survey-clients.ts");
  const clients = surveyClients(surroundingsOf(invocation), ownLaunch()).filter(
    ({ present, installations, problems }) => present || installations.length + problems.length > 0,
  );
  const findings = await Promise.all(clients.map((client) => findingsOf(client, invocation, trusted)));
  return findings.flat();
}

async function findingsOf(client: SurveyedClient, invocation: Invocation, trusted: boolean): Promise<Finding[]> {
  const { id, name, installations, problems } = client;
  const broken = problems.map(
    (message): Finding => ({ name: "agent", status: "warn", message: `${name}: ${message}` }),
  );
  if (installations.length + broken.length > 0) {
    const looked = installations.map((each) =>
      each.level === "project" && each.status === "ok" && !trusted
        ? notTried(client, each, invocation)
        : answering(client, each, invocation),
    );
    return [...broken, ...(await Promise.all(looked))];
  }
  return [{ name: "agent", status: "ok", message: `${name} is here; to give it your tools: toolwright install ${id}` }];
}

function notTried({ name }: SurveyedClient, { file, command }: Installation, { globals }: Invocation): Finding {
  const where = `in ${shownPath(file, globals.cwd)}`;
  const message = `${name}: installed ${where}, not tried because this project is not trusted: ${command.join(" ")}`;
  return { name: "agent", status: "warn", message, fix: "If that is what it should start, run: toolwright trust" };
}

async function answering(
  { id, name }: SurveyedClient,
  { file, command, status, level }: Installation,
  { globals, terminal }: Invocation,
): Promise<Finding> {
  const where = `in ${shownPath(file, globals.cwd)}`;
  const again = `Run: toolwright install ${id}${level === "project" ? " --project" : ""}`;
  if (status === "foreign") {
    const message = `${name}: the server "toolwright" ${where} is another one: ${command.join(" ")}`;
    return { name: "agent", status: "warn", message, fix: `${again} --name my-tools` };
  }
  if (status === "stale") {
    const message = `${name}: what it starts (${where}) is no longer there: ${command.join(" ")}`;
    return { name: "agent", status: "fail", message, fix: again };
  }
  // An editor would fill this in before it starts the server.
  const words = command.map((word) => word.replace(/\$\{workspaceFolder\}/g, () => globals.cwd));
  const ping = await pingServer(words, { cwd: globals.cwd, env: terminal.env });
  if (ping.ok) {
    const tools = `${ping.tools} tool${ping.tools === 1 ? "" : "s"}`;
    return {
      name: "agent",
      status: "ok",
      message: `${name}: installed ${where}, answers in ${ping.ms} ms with ${tools}`,
    };
  }
  const message = `${name}: installed ${where}, but does not answer: ${ping.reason}`;
  return { name: "agent", status: "fail", message, fix: `Try it by hand: ${command.join(" ")}` };
}
