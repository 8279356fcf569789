import { describe, expect, it } from "vitest";
import { browserWorld, missing, type OpenedPage, skipped } from "../../support/browser/browser-world.ts";
import {
  HOSTILE_ID,
  HOSTILE_PROJECT,
  HOSTILE_SETTINGS,
  hostileAnswers,
  hostileEvents,
} from "../../support/browser/hostile-project.ts";
import { FOREIGN, hostile, hostileLine, hostileName } from "../../support/browser/hostile-text.ts";
import { isLive } from "../../support/browser/page-parts.ts";
import type { Page } from "../../support/browser/playwright.ts";
import { sendMessage, startSession, transcript, turnsEnded } from "../../support/browser/session-steps.ts";
import { injectedElements, openAllParts, shownPlaces } from "../../support/browser/shown-places.ts";
import { withStore } from "../../support/browser/stored-sessions.ts";
import { resultPart, run } from "../../support/browser/tool-steps.ts";

/** Every hostile text is shown, and shown as text. Everything else that it could do fails the test: see `watched-page.ts`. */
describe.skipIf(missing)(`[U4] [X1] hostile texts in the page${skipped}`, () => {
  const world = browserWorld({ files: HOSTILE_PROJECT, settings: HOSTILE_SETTINGS });

  /** Opens a page at an address, in a profile that is logged in. */
  const openAt = async (path: string): Promise<OpenedPage> => {
    const opened = await world.open("/agents");
    await isLive(opened.page);
    await opened.page.goto(world.served.url + path);
    await isLive(opened.page);
    return opened;
  };

  /** Opens everything that is closed, and requires that nothing was injected and that these places are shown. */
  const shows = async (page: Page, places: readonly string[]): Promise<void> => {
    await openAllParts(page);
    expect(await injectedElements(page)).toEqual([]);
    expect(await shownPlaces(page)).toEqual(expect.arrayContaining([...places]));
  };

  it("descriptions, hints, schemas and problems of tool files", async () => {
    const { page } = await openAt("/tools");
    await page.getByText("AT-import-error").first().waitFor();
    await shows(page, ["bad-name", "import-error", "unknown-key", "description"]);
    await page.goto(`${world.served.url}/tools/hostile`);
    await page.getByRole("region", { name: "Input", exact: true }).getByRole("textbox").first().waitFor();
    const places = ["description", "hint-title", "property", "schema-description", "enum", "item-property"];
    await shows(page, [...places, "schema-title", "default", "example", "const", "any-of-title", "item-title"]);
    await page.getByRole("region", { name: "Input", exact: true }).getByRole("button", { name: "JSON" }).click();
    await shows(page, ["description"]);
  });

  it("progress, outputs, titles, data, images and files of a call", async () => {
    const { page } = await openAt("/tools/hostile");
    await run(page);
    await page.getByText("AT-progress-title").first().waitFor();
    expect(await injectedElements(page)).toEqual([]);
    await resultPart(page).getByText("ok", { exact: true }).waitFor();
    await shows(page, ["written", "output", "data-key", "data-value", "nested-key", "nested-value", "file"]);
    for (const name of [/AT-file/, /image\/svg/]) {
      const downloading = page.waitForEvent("download");
      await resultPart(page).getByRole("button", { name }).first().click();
      expect((await downloading).suggestedFilename()).not.toMatch(/[<>/\\]/);
    }
    await page.goto(`${world.served.url}/tools/hostile-data`);
    await run(page);
    await resultPart(page).getByText("AT-plain-output").first().waitFor();
    await shows(page, ["plain-output", "title", "data-key"]);
    await page.goto(`${world.served.url}/tools/hostile-error`);
    await run(page);
    await resultPart(page).getByText("AT-error").first().waitFor();
    await shows(page, ["error", "cause"]);
  });

  it("questions and dialogs", async () => {
    const { page } = await openAt("/tools/hostile-ask");
    await run(page);
    const card = page.getByRole("region", { name: /^Allow/ });
    await card.waitFor();
    await shows(page, ["permission", "pattern"]);
    await card.getByRole("button", { name: "No" }).click();
    await resultPart(page).getByText("denied", { exact: true }).waitFor();

    await page.goto(`${world.served.url}/tools/hostile-dialogs`);
    await run(page);
    const dialog = page.getByRole("region", { name: /asks/ });
    for (const places of [
      ["select-title", "option"],
      ["confirm-title", "confirm-message"],
      ["input-title", "placeholder"],
      ["editor-title", "prefill"],
    ]) {
      await dialog.getByText(`AT-${places[0]}`).first().waitFor();
      await shows(page, places);
      await dialog.getByRole("button", { name: "Close without an answer" }).click();
    }
    await resultPart(page).getByText("all dialogs are closed").waitFor();
  });

  it("characters that change the direction or are invisible are shown in names and results", async () => {
    const { page } = await openAt("/tools/bidi");
    await page.getByRole("region", { name: "Input", exact: true }).getByLabel("name").fill("x");
    await run(page);
    await resultPart(page).getByText("ok", { exact: true }).waitFor();
    expect(await injectedElements(page)).toEqual([]);
    expect(await resultPart(page).getByRole("link").count()).toBe(0);
  });

  it("everything in a stored session, its title, its id and its agent", async () => {
    await withStore(world.served, async (store) => {
      const agent = hostileName("stored-agent");
      await store.create({
        id: HOSTILE_ID,
        directory: "/",
        agent,
        model: hostileName("model"),
        title: hostileLine("session-title"),
      });
      await store.append(HOSTILE_ID, hostileEvents());
    });
    const { page } = await openAt("/sessions");
    await page.getByText("AT-session-title").first().waitFor();
    await shows(page, ["session-title", "stored-agent"]);
    await page.goto(`${world.served.url}/sessions/${encodeURIComponent(HOSTILE_ID)}`);
    const seen = new Set<string>();
    await transcript(page).waitFor();
    await transcript(page).evaluate((log) => log.scrollTo(0, 0));
    // Only the rows in view are drawn.
    for (let rounds = 0; rounds < 40; rounds += 1) {
      await page.waitForTimeout(100);
      await openAllParts(page);
      expect(await injectedElements(page)).toEqual([]);
      for (const place of await shownPlaces(page)) seen.add(place);
      const moved = await transcript(page).evaluate((log) => {
        const before = log.scrollTop;
        log.scrollBy(0, 400);
        return log.scrollTop > before;
      });
      if (!moved) break;
    }
    const texts = [
      "prompt",
      "answer",
      "thinking",
      "reason",
      "answer-reason",
      "call-error",
      "call-output",
      "agent-error",
      "interrupted",
    ];
    expect([...seen]).toEqual(expect.arrayContaining([...texts, "call-tool", "file", "data-key", "text-input"]));
    await page.getByRole("button", { name: "Details and actions" }).click();
    await shows(page, ["session-id", "stored-agent"]);
  });

  it("streamed Markdown of a model, and what an error of an agent says", async () => {
    const { page } = await openAt("/sessions");
    const lines = hostile("streamed")
      .split("\n")
      .filter((line) => line !== "");
    await startSession(
      page,
      lines.map((line) => `say ${line}`),
    );
    await turnsEnded(page, 1);
    await shows(page, ["streamed"]);
    await sendMessage(
      page,
      `say [good](https://good.example/) [bad](javascript:window.pwned=1) ![remote](${FOREIGN}/x.png)\nsay <b>bold</b>`,
    );
    await turnsEnded(page, 2);
    const link = transcript(page).getByRole("link", { name: "good" });
    expect(await link.getAttribute("rel")).toContain("noopener");
    expect(await link.getAttribute("target")).toBe("_blank");
    expect(await transcript(page).getByRole("link", { name: "bad" }).count()).toBe(0);
    expect(await transcript(page).locator("img, b").count()).toBe(0);
    await sendMessage(page, `call ${"no-such-tool"} ${JSON.stringify({ text: hostileLine("unknown-input") })}`);
    await turnsEnded(page, 3);
    await shows(page, ["unknown-input"]);
  });

  it("inputs of calls, rules and explanations", async () => {
    await world.served.api("/api/tools/hostile-error/run", {
      input: { [hostileName("key")]: hostileLine("call-input") },
      agent: hostileName("call-agent"),
    });
    const { page } = await openAt("/calls");
    await page
      .getByRole("list", { name: "Calls" })
      .getByRole("button", { name: /hostile-error/ })
      .first()
      .click();
    await shows(page, ["error", "call-agent"]);
    await page.goto(`${world.served.url}/permissions`);
    await page.getByText("AT-rule-tool").first().waitFor();
    await shows(page, ["rule-tool", "rule-match", "rule-agent"]);
    await page.goto(`${world.served.url}/agents`);
    await isLive(page);
    await shows(page, []);
  });

  it("answers given, and the dialog that takes one back", async () => {
    const id = "answered";
    await withStore(world.served, async (store) => {
      await store.create({ id, directory: "/", title: hostileLine("answer-title") });
      await store.append(id, hostileAnswers(id));
    });
    const { page } = await openAt("/permissions");
    await page.getByText("AT-answer-reason").first().waitFor();
    const places = ["answer-agent", "answer-pattern", "answer-permission", "answer-question", "answer-reason"];
    await shows(page, [...places, "answer-target", "answer-title", "answer-tool"]);
    await page
      .getByRole("button", { name: /^Take back the answer/ })
      .first()
      .click();
    await page.getByRole("dialog").getByText("AT-answer-rule").waitFor();
    await shows(page, ["answer-rule", "answer-title"]);
  });

  const addresses = [
    `/tools/${encodeURIComponent(hostileLine("path"))}`,
    `/sessions/${encodeURIComponent(hostileName("path"))}`,
    `/calls/${encodeURIComponent(hostileLine("path"))}?tool=${encodeURIComponent(hostileLine("query"))}&session=${encodeURIComponent(hostileLine("session"))}`,
    `/permissions?tool=${encodeURIComponent(hostileLine("query"))}&input=${encodeURIComponent(hostileLine("input"))}`,
    `/sessions?new=1&prompt=${encodeURIComponent(hostileLine("query"))}`,
    `/tools?q=${encodeURIComponent(hostileLine("query"))}#<img src=x onerror=window.pwned=1>`,
    "/tools/%E0%A4%A?x=%E0%A4%A",
    `/${encodeURIComponent(hostileLine("path"))}`,
    "//foreign.example/tools",
    "/agents#javascript:window.pwned=1",
  ];

  it("the address of the page", async () => {
    const { page, watch } = await openAt("/agents");
    watch.expect({ consoleErrors: /status of (400|404)/ });
    for (const path of addresses) {
      await page.goto(world.served.url + path);
      await isLive(page);
      await page.waitForTimeout(300);
      await openAllParts(page);
      expect(await injectedElements(page)).toEqual([]);
      expect(new URL(page.url()).origin).toBe(world.served.url);
    }
  });
});
