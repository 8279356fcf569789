import { isDeepStrictEqual } from "node:util";
import type { ToolContext, ToolReturn } from "../../../core/tool.ts";
import { type ProcessResult, runProcess } from "../../../platform/processes/run-process.ts";
import { compileTemplate, type ShellTemplate, type Values } from "../../../platform/processes/shell-template.ts";
import { TemplateProblem } from "../../../platform/processes/template-problem.ts";
import { checkValues } from "./check-values.ts";
import { argumentText, fromProject, type Handler, type HandlerSetup, type Input } from "./handler.ts";
import { type OmittedArgument, omittedData, omittedNote, withNote } from "./omitted-arguments.ts";
import { readPlaceholders } from "./placeholders.ts";
import type { ShellHandlerConfig } from "./plugin-file.ts";
import { PluginProblem } from "./plugin-issue.ts";

const TIMEOUT_MS = 30_000;
/** How many characters of the output are shown while the command runs. */
const MAX_PROGRESS_TEXT = 30_000;
const METACHARACTERS = /[;&|<>`$\\'"(){}*?[\]~#!\n\r]/;

/** Runs a command. Arguments are inserted as values and never become shell syntax. */
export function shellHandler(config: ShellHandlerConfig, setup: HandlerSetup): Handler {
  const template = compile(config.command, setup.fields);
  const timeoutMs = config.timeout ?? TIMEOUT_MS;
  const valuesOf = (input: Input): Values => {
    const get: Values = (name) => argumentText(input, name);
    const isDefault = (name: string): boolean => isDeepStrictEqual(input[name], setup.defaults.get(name));
    checkValues(template, get, { allowDash: config.allowDash ?? false, isDefault });
    return get;
  };
  return {
    timeoutMs,
    hints: {},
    access: (input) => [{ kind: "execute", target: template.readable(valuesOf(input)) }],
    async run(input, context) {
      const values = valuesOf(input);
      logMetacharacters(template, values, setup);
      const { command, args } = template.bind(values);
      const omitted = omittedBy(template, values);
      if (omitted.length > 0) context.metadata({ title: omittedNote(omitted) });
      let shown = "";
      const result = await runProcess(command, args, {
        cwd: fromProject(context.directory, config.cwd ?? "."),
        signal: context.abort,
        timeoutMs,
        onOutput(text, stream) {
          if (stream !== "stdout") return;
          shown = (shown + text).slice(-MAX_PROGRESS_TEXT);
          context.metadata({ metadata: { output: shown } });
        },
      });
      return toReturn(result, { timeoutMs, omitted, limits: context.limits });
    },
  };
}

function compile(command: string, fields: ReadonlySet<string>): ShellTemplate {
  const path = ["handler", "command"];
  try {
    return compileTemplate(readPlaceholders(command.trim(), fields, path));
  } catch (error) {
    throw error instanceof TemplateProblem ? new PluginProblem(path, `handler.command: ${error.message}`) : error;
  }
}

/** A missing value is empty inside quotes; elsewhere its word is left out. */
function omittedBy({ slots }: ShellTemplate, values: Values): OmittedArgument[] {
  const missing = slots.filter(({ name }) => values(name) === undefined);
  return [...new Map(missing.map((slot) => [`${slot.name} ${slot.quote === "bare"}`, slot])).values()].map(
    ({ name, quote }) => ({
      name,
      effect: quote === "bare" ? "was left out of the command" : "is empty in the command",
    }),
  );
}

/** They are harmless, but may indicate an attack. The value is not logged: it may be a secret. */
function logMetacharacters({ slots }: ShellTemplate, values: Values, { tool, log }: HandlerSetup): void {
  for (const name of new Set(slots.map((slot) => slot.name))) {
    if (![values(name) ?? []].flat().some((value) => METACHARACTERS.test(value))) continue;
    log("warn", `"${tool}": the value of "${name}" contains shell metacharacters. They were passed as plain text.`);
  }
}

/** What the text of a result depends on, besides the outcome. */
interface ReturnOptions {
  readonly timeoutMs: number;
  readonly omitted: readonly OmittedArgument[];
  readonly limits: ToolContext["limits"];
}

function toReturn(result: ProcessResult, { timeoutMs, omitted, limits }: ReturnOptions): ToolReturn {
  const { code, stdout, stderr } = result;
  const details = {
    exit: code,
    ...(result.signal ? { signal: result.signal } : {}),
    ...(result.leftRunning ? { leftRunning: true } : {}),
    ...omittedData(omitted),
  };
  const note = omittedNote(omitted);
  // An empty pattern matches everything: the model must know that it was empty.
  if (code === 0) return { output: withNote(stdout || stderr, note, limits), metadata: details };
  const end = `${endOf(result, timeoutMs)}${note && ` ${note}`}`;
  const streams = `stdout:${labelled(stdout)}\nstderr:${labelled(stderr)}`;
  const text = limits.keep === "tail" ? `${streams}\n${end}` : `${end}\n${streams}`;
  return { content: [{ type: "text", text }], details, isError: true };
}

function endOf({ code, signal, killed, timedOut }: ProcessResult, timeoutMs: number): string {
  if (timedOut) {
    return `The command did not end within ${timeoutMs} ms and was stopped. Request less, or ask the author of the tool to raise handler.timeout.`;
  }
  return killed ? `The command was ended by ${signal}.` : `The command failed with exit code ${code}.`;
}

function labelled(output: string): string {
  return output === "" ? " (empty)" : `\n${output.replace(/\n$/, "")}`;
}
