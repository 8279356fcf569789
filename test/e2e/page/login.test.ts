import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { browserWorld, missing, type OpenedPage, skipped } from "../../support/browser/browser-world.ts";
import { isLive } from "../../support/browser/page-parts.ts";
import { PAGE_TOOLS } from "../../support/browser/page-tools.ts";

const REFUSED = /status of 401/;

describe.skipIf(missing)(`[U4] [S4] login${skipped}`, () => {
  const world = browserWorld({ files: PAGE_TOOLS });

  const isLoggedIn = ({ page }: OpenedPage): Promise<void> => isLive(page);

  it.each(["/", "/sessions", "/tools/greet", "/permissions?x=1&y=a%20b"])(
    "the token of %s becomes a cookie that scripts cannot read, and leaves the address bar",
    async (path) => {
      const opened = await world.openEmpty();
      const { page, context } = opened;
      const { url, token } = world.served;
      await page.goto(`${url}${path}${path.includes("?") ? "&" : "?"}token=${token}`);
      await isLoggedIn(opened);
      expect(page.url().replace("+", "%20")).toBe(url + path);
      const [cookie, ...others] = await context.cookies();
      expect(others).toEqual([]);
      expect(cookie).toMatchObject({
        name: `toolwright_${new URL(url).port}`,
        domain: "127.0.0.1",
        path: "/",
        httpOnly: true,
        sameSite: "Strict",
      });
      expect(cookie?.value).not.toContain(token);
      expect(await page.evaluate("document.cookie")).toBe("");
      expect(await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")).not.toContain(token);
      expect(await page.evaluate("history.length")).toBeLessThanOrEqual(2);
      await page.reload();
      await isLoggedIn(opened);
    },
  );

  it.each([
    ["replaces the cookie", (port: string) => [`toolwright_${port}=other; Path=/; HttpOnly`]],
    ["removes the cookie", (port: string) => [`toolwright_${port}=; Path=/; Max-Age=0`]],
    [
      "sets too many",
      (port: string) => Array.from({ length: 8 }, (_, n) => `c${n}_${port}=${"x".repeat(3_900)}; Path=/`),
    ],
  ])("a server on another port that %s: the page recovers by itself", async (_, cookiesOf) => {
    const opened = await world.openEmpty();
    const { page } = opened;
    opened.watch.expect({ consoleErrors: /status of 4\d\d|ERR_|Failed to/ });
    const { url, token } = world.served;
    await page.goto(`${url}/calls?token=${token}`);
    await isLoggedIn(opened);
    const cookies = cookiesOf(new URL(url).port);
    const other = createServer((_request, response) => response.writeHead(200, { "set-cookie": cookies }).end("hi"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    opened.watch.expect({ origins: [origin] });
    const second = await opened.context.newPage();
    await second.goto(origin);
    await second.close();
    await page.evaluate("dispatchEvent(new Event('offline'))");
    await page
      .getByRole("link", { name: /Sessions/ })
      .first()
      .click();
    await page.getByLabel("What should the agent do?").waitFor();
    await isLoggedIn(opened);
    expect(await page.getByRole("heading", { name: "This page needs the token of the server" }).count()).toBe(0);
    expect((await page.evaluate("fetch('/api/catalog').then((r) => r.status)")) as number).toBe(200);
  });

  it("logging out removes the cookie, drafts and histories from the browser", async () => {
    const opened = await world.openEmpty();
    const { page, context } = opened;
    opened.watch.expect({ consoleErrors: REFUSED });
    await page.goto(`${world.served.url}/sessions?token=${world.served.token}`);
    await page.getByLabel("What should the agent do?").fill("a draft");
    expect(await page.evaluate("JSON.stringify({ ...localStorage })")).toContain("a draft");
    await page.getByRole("button", { name: "Log out of this browser" }).first().click();
    await page.getByRole("heading", { name: "This page needs the token of the server" }).waitFor();
    expect(await context.cookies()).toEqual([]);
    expect(await page.evaluate("JSON.stringify({ ...localStorage })")).toBe("{}");
  });

  it("without a token, the page asks for it, and shows nothing else", async () => {
    const opened = await world.openEmpty();
    opened.watch.expect({ consoleErrors: REFUSED });
    await opened.page.goto(`${world.served.url}/sessions`);
    await opened.page.getByRole("heading", { name: "This page needs the token of the server" }).waitFor();
    expect(await opened.page.content()).not.toContain("greet");
    expect(await opened.page.getByRole("navigation").count()).toBe(0);
    expect(await opened.page.evaluate("document.activeElement.tagName")).toBe("INPUT");
  });

  it.each([
    ["the token", (token: string) => token],
    ["the printed URL", (token: string) => `http://127.0.0.1:1/?token=${token}`],
    ["the token with spaces around it", (token: string) => `  ${token}\n`],
  ])("%s can be pasted, by keyboard", async (_, pasted) => {
    const opened = await world.openEmpty({ permissions: ["clipboard-read", "clipboard-write"] });
    opened.watch.expect({ consoleErrors: REFUSED });
    await opened.page.goto(`${world.served.url}/calls`);
    const field = opened.page.getByLabel("URL or token");
    await field.waitFor();
    await opened.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(pasted(world.served.token))})`);
    await opened.page.keyboard.press("Control+v");
    await opened.page.keyboard.press("Enter");
    await isLoggedIn(opened);
    expect(opened.page.url()).toBe(`${world.served.url}/calls`);
    expect(await opened.context.cookies()).toMatchObject([{ httpOnly: true, sameSite: "Strict" }]);
  });

  it("a wrong token is refused with a message, and can be corrected by mouse", async () => {
    const opened = await world.openEmpty();
    opened.watch.expect({ consoleErrors: REFUSED });
    await opened.page.goto(`${world.served.url}/?token=wrong`);
    await opened.page.getByLabel("URL or token").waitFor();
    expect(opened.page.url()).not.toContain("token=");
    expect(await opened.context.cookies()).toEqual([]);
    await opened.page.getByLabel("URL or token").fill("also-wrong");
    await opened.page.getByRole("button", { name: "Log in" }).click();
    await opened.page.getByRole("alert").getByText("This is not the token of this server.").waitFor();
    await opened.page.getByLabel("URL or token").fill(world.served.token);
    await opened.page.getByRole("button", { name: "Log in" }).click();
    await isLoggedIn(opened);
  });

  it("a wrong token in a URL does not log a browser out", async () => {
    const opened = await world.open();
    await isLoggedIn(opened);
    await opened.page.goto(`${world.served.url}/?token=wrong`);
    await isLoggedIn(opened);
    expect(opened.page.url()).not.toContain("token=");
  });
});
