import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isObject } from "../../../platform/values/is-object.ts";
import { PluginUINotAvailableError } from "./amp-ui.ts";

interface AmpCall {
  readonly tool: string;
  readonly input: unknown;
}

const SHELL = /^(?:bash|shell|shell_command|execute_command)$/i;
const EDIT = /^(?:write|edit|edit_file|create_file|multi_?edit|undo_edit)$/i;
const PATCH = /^apply_patch$/i;

/** `amp.helpers`. The tools are those of Toolwright, of Amp and of other agents. */
export function ampHelpers(cwd: string): object {
  return {
    shellCommandFromToolCall: ({ tool, input }: AmpCall) => {
      const { command, cmd, workdir, cwd: folder } = fieldsOf(input);
      const text = command ?? cmd;
      const dir = workdir ?? folder;
      if (!SHELL.test(tool) || typeof text !== "string") return null;
      return { command: text, ...(typeof dir === "string" ? { dir } : {}) };
    },
    filesModifiedByToolCall: (call: AmpCall) => {
      const paths = changedPaths(call);
      return paths?.map((path) => pathToFileURL(resolve(cwd, path))) ?? null;
    },
    filePathFromURI: (uri: unknown) => {
      const text = String(uri);
      return text.startsWith("file:") ? fileURLToPath(text) : text;
    },
    toolCallsInMessages: () => [],
    isPluginUINotAvailableError: (error: unknown) => error instanceof PluginUINotAvailableError,
  };
}

function changedPaths({ tool, input }: AmpCall): string[] | null {
  const { filePath, file_path: snake, path, patch, patchText, input: text } = fieldsOf(input);
  if (EDIT.test(tool)) return [filePath ?? snake ?? path].filter((each) => typeof each === "string");
  if (!PATCH.test(tool)) return null;
  const lines = String(patch ?? patchText ?? text ?? "").matchAll(
    /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm,
  );
  return [...lines].map(([, file = ""]) => file.trim());
}

function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  return isObject(input) ? input : {};
}
