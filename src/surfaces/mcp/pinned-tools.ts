import { matchText } from "../../platform/text/wildcard.ts";

/** In `_meta` of a pinned tool. Claude Code shows such a tool to its model from the first request, not behind its search. */
export const PINNED_META = { "anthropic/alwaysLoad": true } as const;

/** In `_meta` of a tool: Claude Code passes results up to this length to its model. The pipeline has already cut them. */
export const UNCUT_META = { "anthropic/maxResultSizeChars": 500_000 } as const;

/** Above this number of tools, none is pinned unless the setting names it. */
const MAX_PINNED = 20;

/**
 * Returns whether a tool is pinned: by the setting `tools.pinned`, or, if that is empty and `pinsFew` is set, as long as few tools
 * are served.
 */
export function pinnedTools(
  pinned: readonly string[],
  served: number,
  { pinsFew }: { readonly pinsFew: boolean },
): (name: string) => boolean {
  if (pinned.length === 0) return () => pinsFew && served <= MAX_PINNED;
  return (name) => pinned.some((pattern) => matchText(pattern, name));
}
