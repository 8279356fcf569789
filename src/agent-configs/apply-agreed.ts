import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isDiskFull } from "../config/error-code.ts";
import { withLock } from "../config/lock.ts";
import { homes } from "../config/options.ts";
import { messageOf } from "../core/error.ts";
import { applyPlan, ChangedMeanwhile } from "./apply-plan.ts";
import type { Plan } from "./plan.ts";
import type { Target } from "./target.ts";

/** Says what is to be done to a configuration as it is now. */
export type Planner = (target: Target) => Plan;

type Change = Plan & { readonly kind: "change" };

const ATTEMPTS = 10;

/**
 * Carries out a change that somebody has agreed to, as `applyPlan` does, one process after another. Programs write to their
 * configurations while they run: where one has done so since, the same change is made to what is there now. Another change
 * would have to be agreed to again.
 */
export async function applyAgreed(target: Target, agreed: Change, planFor: Planner): Promise<{ backup?: string }> {
  const { env, home, ...at } = target.at;
  const { toolwrightHome } = homes(env, home, at);
  return withLock(join(toolwrightHome, "install"), () => apply(target, agreed, planFor)).catch((error: unknown) => {
    // `apply` throws no errors with a code: this is one of the lock.
    if (!(error instanceof Error && "code" in error)) throw error;
    const next = isDiskFull(error) ? "Free some space" : "Make it writable, or set TOOLWRIGHT_HOME to a folder that is";
    throw new Error(
      `${toolwrightHome} cannot be written: ${messageOf(error)}. Nothing was changed. ${next}, then run this again.`,
      { cause: error },
    );
  });
}

function apply(target: Target, agreed: Change, planFor: Planner): { backup?: string } {
  let plan = agreed;
  for (let attempts = 1; ; attempts++) {
    try {
      return applyPlan(target, plan);
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) || attempts === ATTEMPTS) throw error;
      const next = planFor(target);
      if (next.kind === "done") return {};
      if (!isSame(agreed, next)) throw error;
      plan = next;
    }
  }
}

function isSame(agreed: Change, plan: Plan): plan is Change {
  return plan.kind === "change" && plan.does === agreed.does && isDeepStrictEqual(plan.was, agreed.was);
}
