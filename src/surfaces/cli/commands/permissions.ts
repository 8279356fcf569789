import type { Explained, Explanation } from "../../../calls/explanation.ts";
import { projectInfo } from "../../../catalog/inspect-project.ts";
import type { ApiPermissions, ApiRule } from "../../../core/api-page.ts";
import { defined } from "../../../platform/values/defined.ts";
import { explanationView, permissionsOf, printableRule } from "../../../toolbox/permission-view.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import { type Command, type Invocation, optionValue } from "../args/command.ts";
import { readInput } from "../args/read-input.ts";
import { didYouMean, UsageError } from "../args/usage-error.ts";
import { explainedLines } from "../explained-decision.ts";
import { inspectFor } from "../inspect-for.ts";
import { printJson, shownPlace } from "../output/print.ts";
import { printWarnings } from "../print-warnings.ts";
import { withToolbox } from "../with-toolbox.ts";

/** `toolwright permissions`. */
export const permissions: Command = {
  spec: {
    usage: "toolwright permissions [explain NAME [--FIELD VALUE]...] [options]",
    about: `Shows the effective mode and the rules, in order, with their files.

"explain NAME" shows the decision on a call of that tool: for each target, the rule and the reason. Pass the input as for
"run". The tool validates the input and declares what it would touch. Neither the tool nor a hook runs, and no question is
asked.

Exit code: 0 explained, 2 unknown tool or invalid input.`,
    options: {
      input: { type: "string", value: "JSON", help: 'Input as a JSON object; "-" reads it from stdin' },
      agent: { type: "string", value: "NAME", help: "Agent that makes the call" },
    },
    positionals: [0, 2],
    takesFields: true,
    examples: [
      "toolwright permissions",
      "toolwright permissions explain deploy",
      "toolwright permissions explain read --filePath /etc/hosts --agent build --json",
    ],
  },
  run: async (invocation) => {
    const [subcommand, name] = invocation.positionals;
    if (subcommand === undefined) return list(invocation);
    if (subcommand !== "explain") {
      throw new UsageError(
        `Unknown argument "${subcommand}". ${didYouMean(subcommand, ["explain"], `Usage: ${permissions.spec.usage}`)}`,
      );
    }
    if (name === undefined) throw new UsageError(`Missing argument. Usage: ${permissions.spec.usage}`);
    return withToolbox(invocation, (toolbox) => explain(toolbox, name, invocation), { tool: name });
  },
};

function list(invocation: Invocation): number {
  const { terminal, globals, fields } = invocation;
  const [field] = fields;
  if (field) throw new UsageError(`Unknown option --${field.name}. See --help.`);
  const inspected = inspectFor(invocation);
  printWarnings(inspected.warnings, invocation);
  const { settingsFile: _, ...shown } = permissionsOf(projectInfo(globals.cwd, inspected));
  if (globals.json) printJson(terminal, shown);
  else terminal.stdout.write(`${listLines(shown, globals.cwd).join("\n")}\n`);
  return 0;
}

function listLines({ mode, modes, rules, ignored }: Omit<ApiPermissions, "settingsFile">, cwd: string): string[] {
  const { user, project } = modes;
  const whose =
    project === undefined ? "" : ` (yours is ${user}, the project's is ${project}: the stricter one applies)`;
  const ignoredKeys = ignored.filter((key) => key === "permissions" || key === "mode");
  return [
    `Mode: ${mode}${whose}`,
    ...(rules.length === 0 ? ["No rules: the mode decides."] : []),
    ...ruleLinesOf("user", "Your rules (the last one that matches decides):", rules, cwd),
    ...ruleLinesOf("project", "The project's rules (they can only restrict yours):", rules, cwd),
    ...(ignoredKeys.length === 0
      ? []
      : ["", `This project is not trusted, so these of its settings are ignored: ${ignoredKeys.join(", ")}`]),
  ];
}

function ruleLinesOf(from: ApiRule["from"], title: string, rules: readonly ApiRule[], cwd: string): string[] {
  const own = rules.filter((rule) => rule.from === from);
  if (own.length === 0) return [];
  return ["", title, ...own.map((rule) => `  ${shownPlace(rule, cwd)}  ${printableRule(rule)}`)];
}

async function explain(toolbox: Toolbox, name: string, invocation: Invocation): Promise<number> {
  const { terminal, globals } = invocation;
  const tool = await toolbox.find(name);
  const input = tool?.enabled ? await readInput(invocation, tool.inputSchema) : {};
  const agent = optionValue(invocation, "agent");
  const explained = await toolbox.explain({ name, input, ...defined({ agent }) });
  const view = explanationView(explanationOf(explained), toolbox.project);
  if (globals.json) printJson(terminal, view);
  else terminal.stdout.write(`${explainedLines(view, terminal.stdout, globals.cwd).join("\n")}\n`);
  return 0;
}

function explanationOf(explained: Explained): Explanation {
  if (explained.ok) return explained;
  const { code, message } = explained.error;
  if (code === "unknown_tool" || code === "invalid_input") throw new UsageError(message, code);
  throw explained.error;
}
