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
  readonly #isToken: (text: string) => boolean;
  #wrongAt: number[] = [];

  constructor(token: string) {
    this.cookie = new LoginCookie(token);
    this.#isToken = tokenCheck(token);
  }

  /** The right token is accepted however many wrong ones came before. */
  check(text: string): "right" | "wrong" | "too many" {
    if (this.#isToken(text)) return "right";
    const now = performance.now();
    this.#wrongAt = this.#wrongAt.filter((at) => now - at < WINDOW_MS);
    if (this.#wrongAt.length >= MAX_WRONG) return "too many";
    this.#wrongAt.push(now);
    return "wrong";
  }
}
