import { createHmac } from "node:crypto";
import type { ErrorResponse } from "./error-response.ts";
import { tokenCheck } from "./guards/token-guard.ts";
import { LoginCookie } from "./login-cookie.ts";

const MAX_WRONG = 10;
const WINDOW_MS = 60_000;

/** The login of browsers: compares the tokens that people enter, and knows the cookie that they get. */
export class Login {
  readonly cookie: LoginCookie;
  readonly tooMany: ErrorResponse = {
    code: "too_many_requests",
    message: `More than ${MAX_WRONG} wrong tokens were entered in a minute. Wait a minute, then use the token that was printed when the server started.`,
    headers: { "retry-after": "60" },
  };
  /** Accepted instead of the token, from a page that was logged in. Does not reveal the token. */
  readonly renewal: string;
  readonly #isToken: (text: string) => boolean;
  readonly #isRenewal: (text: string) => boolean;
  #wrongAt: number[] = [];

  constructor(token: string) {
    this.cookie = new LoginCookie(token);
    this.renewal = createHmac("sha256", token).update("toolwright renewal").digest("base64url");
    this.#isToken = tokenCheck(token);
    this.#isRenewal = tokenCheck(this.renewal);
  }

  /** The right token is accepted however many wrong ones came before. */
  check(text: string): "right" | "wrong" | "too many" {
    if (this.#isToken(text) || this.#isRenewal(text)) return "right";
    const now = performance.now();
    this.#wrongAt = this.#wrongAt.filter((at) => now - at < WINDOW_MS);
    if (this.#wrongAt.length >= MAX_WRONG) return "too many";
    this.#wrongAt.push(now);
    return "wrong";
  }
}
