import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { runProcess } from "../../platform/processes/run-process.ts";

interface ConvertOptions {
  readonly maxMs?: number;
  readonly maxMb: number;
  readonly signal: AbortSignal;
}

const CONVERTER = import.meta.url.endsWith(".ts") ? "./page-converter.ts" : "./page-converter.mjs";

const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Converts an HTML page to markdown or text in a child process, since a hostile page can take any time and memory, or
 * crash the process. Undefined when the limits were exceeded. Rejects when the signal fires.
 */
export async function convertPage(
  html: string,
  to: { readonly form: "markdown" | "text"; readonly url: string },
  { maxMs, maxMb, signal }: ConvertOptions,
): Promise<string | undefined> {
  const converter = fileURLToPath(new URL(CONVERTER, import.meta.url));
  const { code, stdout, truncated } = await runProcess(process.execPath, [converter, to.form, to.url], {
    cwd: tmpdir(),
    env: { ...process.env, NODE_OPTIONS: `--max-old-space-size=${maxMb} --disable-warning=ExperimentalWarning` },
    input: html,
    timeoutMs: maxMs,
    maxBytes: MAX_BYTES,
    signal,
  });
  signal.throwIfAborted();
  return code === 0 && !truncated ? stdout : undefined;
}
