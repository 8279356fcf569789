import type { TemplateValue } from "../../../platform/processes/shell-template.ts";
import type { TemplatePart } from "../../../platform/processes/shell-words.ts";
import { openCommand, type ShellCommand, type ShellSettings, type ShellTemplate } from "./shell-command.ts";

/** The `$` of an OpenCode plugin: `` await $`git log ${file}` ``. Values never become syntax. */
export interface Shell {
  (strings: TemplateStringsArray, ...values: unknown[]): ShellCommand;
  escape(text: string): string;
  braces(pattern: string): string[];
  cwd(folder?: string): Shell;
  env(env?: Record<string, string | undefined>): Shell;
  nothrow(): Shell;
  throws(shouldThrow: boolean): Shell;
}

/** The shell of Bun if this is Bun, else one with the same interface. */
export function openShell(cwd: string): Shell {
  const { Bun } = globalThis as { Bun?: { $?: Pick<Shell, "escape" | "braces"> & { Shell: new () => Shell } } };
  if (!Bun?.$) return shellWith({ cwd, env: undefined, throws: true });
  const { $ } = Bun;
  return Object.assign(new $.Shell().cwd(cwd), { escape: $.escape, braces: $.braces });
}

/** `cwd()`, `env()` and `throws()` change this shell for all its users, as in Bun. */
function shellWith(initial: ShellSettings): Shell {
  let settings = initial;
  const change = (changes: Partial<ShellSettings>): Shell => {
    settings = { ...settings, ...changes };
    return shell;
  };
  const shell: Shell = Object.assign(
    (strings: TemplateStringsArray, ...values: unknown[]) => openCommand(toParts(strings, values), settings),
    {
      escape: (text: string) => (/^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`),
      braces: expandBraces,
      cwd: (folder: string = initial.cwd) => change({ cwd: folder }),
      env: (env?: ShellSettings["env"]) => change({ env }),
      nothrow: () => change({ throws: false }),
      throws: (shouldThrow: boolean) => change({ throws: shouldThrow }),
    },
  );
  return shell;
}

function toParts(strings: TemplateStringsArray, inserted: readonly unknown[]): ShellTemplate {
  const values = new Map<string, TemplateValue>();
  const parts = strings.flatMap((text, index): TemplatePart[] => {
    if (index >= inserted.length) return [text];
    const value = inserted[index];
    if (isRaw(value)) return [text, value.raw];
    values.set(String(index), toValue(value));
    return [text, { value: String(index) }];
  });
  return { parts: joinTexts(parts), values };
}

function isRaw(value: unknown): value is { raw: string } {
  return typeof value === "object" && value !== null && "raw" in value && typeof value.raw === "string";
}

function toValue(value: unknown): TemplateValue {
  if (Array.isArray(value)) return value.flat(Number.POSITIVE_INFINITY).map(String);
  if (value instanceof Uint8Array || value instanceof Blob || value instanceof ReadableStream) {
    throw new TypeError(
      "Bytes and streams cannot be used in a command in Node. Write them to a file, or run the plugin with Bun.",
    );
  }
  return String(value);
}

/** The parser expects adjacent texts as one. */
function joinTexts(parts: readonly TemplatePart[]): TemplatePart[] {
  const joined: TemplatePart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === "string" && typeof last === "string") joined.splice(-1, 1, last + part);
    else joined.push(part);
  }
  return joined;
}

/** Expands `a{b,c}` to `ab` and `ac`, without duplicates. Braces can be nested. */
function expandBraces(pattern: string): string[] {
  const [, before = "", inner, after = ""] = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(pattern) ?? [];
  if (inner === undefined) return [pattern];
  return [...new Set(inner.split(",").flatMap((choice) => expandBraces(`${before}${choice}${after}`)))];
}
