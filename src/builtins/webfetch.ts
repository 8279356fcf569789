import { Tool, ToolError, tool } from "../index.ts";
import { parseAddress } from "./web/address.ts";
import { accessTo } from "./web/private-address.ts";

const z = tool.schema;

/**
 * `defaultMs` and `mostMs` include redirects. `bodyBytes` counts decompressed bytes. `convertMs` and `convertMb` limit
 * the conversion to markdown.
 */
const LIMITS = {
  defaultMs: 30_000,
  mostMs: 120_000,
  bodyBytes: 5 * 1024 * 1024,
  redirects: 10,
  addressCharacters: 8_192,
  errorCharacters: 2_000,
  convertMs: 10_000,
  convertMb: 192,
  progressMs: 250,
};

export default Tool.define("webfetch", {
  parameters: z.object({
    url: z.string().min(1).describe("The whole address of the page, with http:// or https://"),
    format: z
      .enum(["text", "markdown", "html"])
      .default("markdown")
      .describe("The format of an HTML page: markdown with links, plain text, or the original html"),
    timeout: z
      .number()
      .int()
      .min(1_000, "The timeout is in milliseconds: send 1000 or more.")
      .optional()
      .describe("The time limit in milliseconds. 30000 by default, 120000 at most"),
  }),
  limits: { timeoutMs: LIMITS.mostMs + LIMITS.convertMs + 20_000, own: LIMITS },
  hints: { title: "Fetch a page", readOnly: true, destructive: false, idempotent: true, openWorld: true },
  access: ({ url }) => [accessTo(parseAddress(url))],
  async execute({ url, format, timeout }, context) {
    const limits = { ...LIMITS, ...context.limits.own };
    const address = parseAddress(url, limits.addressCharacters);
    const timeoutMs = timeout ?? Math.min(limits.defaultMs, limits.mostMs);
    if (timeoutMs > limits.mostMs) throw timeoutTooLong(timeoutMs, limits.mostMs);
    const { fetchPage } = await import("./web/fetch-page.ts");
    const page = await fetchPage(address, {
      format,
      timeoutMs,
      maxBytes: limits.bodyBytes,
      maxRedirects: limits.redirects,
      abort: context.abort,
      permit: (access) => context.permit(access),
      onBytes: progress(context, address, limits.progressMs),
    });
    if (page.status >= 400 || page.status === 304) {
      const { httpFailure } = await import("./web/http-failure.ts");
      throw await httpFailure(page, limits.errorCharacters);
    }
    const { presentPage } = await import("./web/present-page.ts");
    return presentPage(page, { ...limits, format, maxBytes: limits.bodyBytes, abort: context.abort });
  },
});

/** Reports the number of bytes received, at most once per `everyMs`. */
function progress(context: Tool.Context, { href }: URL, everyMs: number): (bytes: number) => void {
  let reportedAt = performance.now();
  return (bytes) => {
    if (performance.now() - reportedAt < everyMs) return;
    reportedAt = performance.now();
    context.metadata({ title: href, metadata: { bytes } });
  };
}

function timeoutTooLong(timeoutMs: number, mostMs: number): ToolError {
  return new ToolError("failed", `The timeout may be at most ${mostMs} milliseconds, not ${timeoutMs}. Send less.`);
}
