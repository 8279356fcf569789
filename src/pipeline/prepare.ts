import type { ToolResult } from "../core/result.ts";
import type { Access } from "../core/tool.ts";
import type { Hosts } from "../host/hosts.ts";
import type { Call } from "./call.ts";
import { crashed, failure, invalidInput, unavailable } from "./failures.ts";
import { withRealTargets } from "./real-targets.ts";

/** Has the tool check an input and say what it would touch; or how that failed. Runs nothing else of it. */
export async function prepare(
  call: Pick<Call, "name" | "input" | "entry" | "context" | "session" | "signal">,
  hosts: Hosts,
): Promise<readonly Access[] | (ToolResult & { ok: false })> {
  const { ref, manifest } = call.entry;
  const target = { file: ref.file.file, tool: manifest.name };
  const { directory, sessionID } = call.context;
  const session = call.session ?? { id: sessionID };
  const request = { kind: "prepare", target, input: call.input, cwd: directory, session } as const;
  const outcome = await hosts.ask<"prepare">(ref, request, call.signal);
  switch (outcome.kind) {
    case "prepared":
      return withRealTargets(outcome.access, directory);
    case "invalid":
      return invalidInput(call.name, outcome.issues);
    case "died":
      return crashed(call.name, outcome.reason);
    case "not-begun":
      return crashed(call.name, "no process answered when its input was to be checked");
    case "failed":
      return failure("failed", outcome.message);
    case "trouble":
      return unavailable(call.name, outcome);
  }
}
