import type { Page } from "./playwright.ts";
import type { ServedProject } from "./served-project.ts";
import { startSession, toolCard, turnsEnded } from "./session-steps.ts";
import { inputPart, resultPart, run } from "./tool-steps.ts";

/** What the screenshots show, by the name of the file. */
export const SCENES: Readonly<Record<string, (page: Page, served: ServedProject) => Promise<void>>> = {
  tools: async (page, { url }) => {
    await page.goto(`${url}/tools/forecast`);
    await inputPart(page).getByLabel("city").fill("Oslo");
    await run(page);
    await resultPart(page).getByText('"Oslo"').first().waitFor();
    await resultPart(page).scrollIntoViewIfNeeded();
  },
  session: async (page) => {
    await startSession(page, [
      "say Let me look at the **forecast** first, then deploy.",
      'call forecast {"city":"Oslo"}',
      "say It will be dry until Tuesday:",
      "say | day | degrees |",
      "say |---|---|",
      "say | Monday | 4.5 |",
      "say | Tuesday | -2 |",
      'call deploy {"place":"production"}',
    ]);
    await page.getByRole("region", { name: /Allow deploy/ }).waitFor();
    await page.locator(".session-row[aria-current]").getByText("needs an answer").waitFor({ state: "attached" });
    await toolCard(page, "forecast").getByRole("button", { expanded: false }).click();
    await page.getByRole("region", { name: /Allow deploy/ }).scrollIntoViewIfNeeded();
  },
  permissions: async (page, { url }) => {
    const question = page.getByRole("region", { name: /Allow deploy/ });
    await startSession(page, ['call deploy {"place":"staging"}']);
    await question.getByRole("button", { name: "For this session" }).click();
    await turnsEnded(page, 1);
    await startSession(page, ['call deploy {"place":"production"}']);
    await question.getByLabel("Why not (the model reads it)").fill("Not before the review.");
    await question.getByRole("button", { name: "No", exact: true }).click();
    await turnsEnded(page, 1);
    await page.goto(`${url}/permissions`);
    const answers = page.getByRole("list", { name: "Answers given" });
    await answers.getByText("“Not before the review.”").first().waitFor();
    await page.getByRole("heading", { name: "Answers given" }).evaluate((heading) => heading.scrollIntoView());
  },
  calls: async (page, served) => {
    for (const name of ["Ada", "Bob", "Grace"]) await served.api("/api/tools/greet/run", { input: { name } });
    for (const tool of ["fails", "steps", "weather", "picture"]) await served.api(`/api/tools/${tool}/run`, {});
    await startSession(page, ['call forecast {"city":"Bergen"}']);
    await turnsEnded(page, 1);
    await page.goto(`${served.url}/calls`);
    await page.getByRole("list", { name: "Calls" }).waitFor();
  },
};
