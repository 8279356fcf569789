import { readFileSync } from "node:fs";
import { axeFile, type Page } from "./playwright.ts";

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly help: string;
    readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
  }[];
}

/** The serious and critical findings of axe in the page as it is now, one line for each element. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(axeFile(), "utf8"));
  const { violations } = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id} at ${node.target.join(" ")}: ${node.failureSummary}`));
}
