import type { Issue } from "../../core/schema.ts";

const MAX_ISSUES = 20;
const MAX_MESSAGE = 1_000;

/** The first issues of an input, with their texts cut. */
export function truncateIssues(issues: readonly Issue[]): Issue[] {
  const kept = issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => ({ path: path.slice(0, MAX_MESSAGE), message: message.slice(0, MAX_MESSAGE) }));
  const more = issues.length - kept.length;
  return more > 0 ? [...kept, { path: "", message: `has ${more} more issues like these` }] : kept;
}
