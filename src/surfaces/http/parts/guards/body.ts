import type { RequestGuard } from "./guard.ts";

/**
 * Accepts only JSON: a form on another site cannot send it, and a script there would need a CORS preflight. Refuses a body by
 * its Content-Length before it is read.
 */
export function bodyGuard(maxBytes: number): RequestGuard {
  return ({ headers }) => {
    const length = headers["content-length"];
    const type = headers["content-type"];
    const hasBody = headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
    if (type === undefined ? hasBody : !isJson(type)) {
      return {
        code: "unsupported_media_type",
        message: 'Send the body as JSON, with "Content-Type: application/json".',
      };
    }
    if (!isPlain(headers["content-encoding"])) {
      return { code: "unsupported_media_type", message: "Send the body uncompressed." };
    }
    return Number(length ?? 0) > maxBytes ? tooLarge(maxBytes) : undefined;
  };
}

export function tooLarge(maxBytes: number): { code: "too_large"; message: string } {
  return { code: "too_large", message: `The body is larger than ${maxBytes} bytes, the limit. Send less.` };
}

function isJson(type: string): boolean {
  return /^application\/json *(?:; *charset="?utf-8"? *)?$/i.test(type);
}

function isPlain(encoding: string | undefined): boolean {
  return encoding === undefined || encoding.toLowerCase() === "identity";
}
