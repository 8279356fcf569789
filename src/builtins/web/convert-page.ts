import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { runProcess } from "../../process/run-process.ts";

/** The bounds of a conversion. */
export interface ConvertOptions {
  readonly maxMs?: number;
  readonly maxMb: number;
  readonly signal: AbortSignal;
}

/** The program's file: in the built package every entry lies beside the others. */
const CONVERTER = import.meta.url.endsWith(".ts") ? "./page-converter.ts" : "./page-converter.mjs";

/** More than any page of a few megabytes becomes, unless it was made to. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * An HTML page as markdown or as text. Undefined when that was not possible within its time and memory: a page can be
 * made to cost any amount of both, and to end the process that reads it. So it is done in a process of its own, which
 * nothing else waits for or depends on. Rejects when the signal fires.
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
