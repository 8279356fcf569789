import type { BrowserContext, Page } from "./playwright.ts";

/** What a page may do that otherwise fails the test. */
export interface Expected {
  /** Errors in the console that the test causes, such as those of a server that is down. Of the CSP's errors, only those of a page that is framed. */
  readonly consoleErrors?: RegExp;
  /** Origins of other servers that the test itself opens. */
  readonly origins?: readonly string[];
}

/** Records everything that no page of Toolwright may do: see `violations`. */
export interface Watch {
  /** Errors, violations of the CSP, dialogs, new windows, and requests to other servers, in the order of their occurrence. */
  readonly violations: readonly string[];
  /** Expects more from now on. */
  expect(more: Expected): void;
}

const LOCAL_SCHEMES = ["data:", "blob:", "about:"];

/** Watches all pages of a context. `origin` is that of the server. */
export async function watch(context: BrowserContext, origin: string): Promise<Watch> {
  const violations: string[] = [];
  const expected: Expected[] = [];
  const isExpected = (text: string): boolean =>
    (!/content security policy/i.test(text) || text.includes("frame-ancestors")) &&
    expected.some(({ consoleErrors }) => consoleErrors?.test(text));

  await context.exposeFunction("reportViolation", (text) => void violations.push(text));
  await context.addInitScript(`
    document.addEventListener("securitypolicyviolation", (event) =>
      window.reportViolation("CSP: " + event.violatedDirective + " " + event.blockedURI));
    Object.defineProperty(window, "pwned", { set: (value) => window.reportViolation("pwned: " + value), get: () => undefined });
  `);
  context.on("request", (request) => {
    const url = new URL(request.url());
    const allowed = [origin, ...expected.flatMap(({ origins = [] }) => origins)];
    if (LOCAL_SCHEMES.includes(url.protocol) || allowed.includes(url.origin)) return;
    violations.push(`request to another server: ${request.method()} ${url.href}`);
  });
  context.on("page", (page) => watchPage(page, (text) => (isExpected(text) ? 0 : violations.push(text))));
  return { violations, expect: (more) => void expected.push(more) };
}

function watchPage(page: Page, report: (text: string) => void): void {
  page.on("console", (message) => {
    if (message.type() === "error") report(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => report(`page error: ${error.message}`));
  page.on("crash", () => report("the page crashed"));
  page.on("dialog", (dialog) => {
    report(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
}
