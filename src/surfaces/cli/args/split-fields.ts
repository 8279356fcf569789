import type { OptionSpecs } from "./command.ts";
import type { Field } from "./parse-fields.ts";

/** The arguments of the command, and the fields of the tool's input. */
interface Split {
  readonly own: readonly string[];
  readonly fields: readonly Field[];
}

/** Splits a command line. Every `--name` that is not an option of the command, and every option after `--`, is a field. */
export function splitFields(args: readonly string[], options: OptionSpecs): Split {
  const own: string[] = [];
  const fields: Field[] = [];
  let onlyFields = false;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    const next = args[at + 1];
    if (arg === "--" && !onlyFields) {
      onlyFields = true;
    } else if (!arg.startsWith("--") || arg === "--") {
      own.push(arg);
    } else if (!onlyFields && isOwn(arg, options)) {
      own.push(arg);
      if (takesNext(arg, options) && next !== undefined) {
        own.push(next);
        at += 1;
      }
    } else {
      const field = toField(arg, next);
      fields.push(field);
      if (field.value !== undefined && !arg.includes("=")) at += 1;
    }
  }
  return { own, fields };
}

function isOwn(arg: string, options: OptionSpecs): boolean {
  return Object.hasOwn(options, optionName(arg));
}

function takesNext(arg: string, options: OptionSpecs): boolean {
  return !arg.includes("=") && options[optionName(arg)]?.type === "string";
}

function optionName(arg: string): string {
  return arg.slice(2).split("=", 1)[0] ?? "";
}

/** A value may begin with one dash (`--offset -5`); one that begins with two is written `--name=--value`. */
function toField(arg: string, next: string | undefined): Field {
  const name = optionName(arg);
  const equals = arg.indexOf("=");
  if (equals >= 0) return { name, value: arg.slice(equals + 1) };
  return next === undefined || next.startsWith("--") ? { name } : { name, value: next };
}
