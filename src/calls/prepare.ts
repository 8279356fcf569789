import type { ToolResult } from "../core/result.ts";
import type { Access } from "../core/tool.ts";
import type { Hosts } from "../host/protocol/hosts.ts";
import type { Call } from "./call.ts";
import { crashed, failure, invalidInput, notStarted, slowInput, toolUnavailable } from "./failures.ts";
import { withRealTargets } from "./real-targets.ts";

/**
 * Asks the tool to validate an input and to declare what it would touch. The tool does not run. `started` is called
 * when a host begins.
 */
export async function prepare(
  call: Pick<Call, "name" | "input" | "entry" | "context" | "scope" | "signal">,
  hosts: Hosts,
  started: () => void,
): Promise<readonly Access[] | (ToolResult & { ok: false })> {
  const { ref, manifest } = call.entry;
  const target = { file: ref.file.file, tool: manifest.name };
  const { directory, agent } = call.context;
  const { id, snapshot } = call.scope.session;
  const session = snapshot ?? { id };
  const request = { kind: "prepare", target, input: call.input, cwd: directory, session, agent } as const;
  const outcome = await hosts.query<"prepare">(ref, request, call.signal, started);
  switch (outcome.kind) {
    case "prepared":
      return withRealTargets(outcome.access, directory);
    case "slow":
      return slowInput(call.name, outcome.parts);
    case "blocked":
      return slowInput(call.name);
    case "invalid":
      return invalidInput(call.name, outcome.issues);
    case "died":
      return crashed(call.name, outcome.reason);
    case "not-started":
      return notStarted(call.name);
    case "failed":
      return failure("failed", outcome.message);
    case "unavailable":
      return toolUnavailable(call.name, outcome);
  }
}
