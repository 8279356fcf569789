import type { Guard } from "./guard.ts";

/**
 * Only JSON is taken: a form of another site's page cannot send that, and a script of one would have to ask first. What
 * says that it is too large is refused before it is sent.
 */
export function bodyGuard(mostBytes: number): Guard {
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
      return { code: "unsupported_media_type", message: "Send the body as it is: compressed ones are not read." };
    }
    return Number(length ?? 0) > mostBytes ? tooLarge(mostBytes) : undefined;
  };
}

export function tooLarge(mostBytes: number): { code: "too_large"; message: string } {
  return { code: "too_large", message: `The body is larger than ${mostBytes} bytes, the limit. Send less.` };
}

function isJson(type: string): boolean {
  return /^application\/json *(?:; *charset="?utf-8"? *)?$/i.test(type);
}

function isPlain(encoding: string | undefined): boolean {
  return encoding === undefined || encoding.toLowerCase() === "identity";
}
