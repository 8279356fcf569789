import { useEffect, useState } from "react";
import { useClient } from "../server.ts";
import type { ShownCall } from "./tool-card.tsx";

/** Columns of a rendering: it is drawn for a terminal, in letters of one width. */
const WIDTH = 100;
/** A card that is only scrolled past is not rendered. The first rendering in a process may be too slow, so it is tried again. */
const DELAYS_MS = [120, 800, 2_000];

/** The lines that the author of the tool draws for a call; undefined if there are none, or not yet. */
export function useOwnRendering(call: ShownCall): readonly string[] | undefined {
  const client = useClient();
  const { tool, callID, input, result } = call;
  const [shown, setShown] = useState<{ readonly of: unknown; readonly lines: readonly string[] }>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const view = {
      width: WIDTH,
      expanded: true,
      callID,
      input: input ?? {},
      ...(result && { result: { content: result.content ?? [], data: result.data, isError: !result.ok } }),
    };
    const draw = async (): Promise<void> => {
      for (const ms of DELAYS_MS) {
        await new Promise((resolve) => setTimeout(resolve, ms));
        if (signal.aborted) return;
        const { lines } = await client.render(tool, view, { signal });
        if (lines && !signal.aborted) return setShown({ of: result, lines });
      }
    };
    // A tool that is gone or fails to draw is shown as data.
    draw().catch(() => {});
    return () => controller.abort();
  }, [client, tool, callID, input, result]);
  return shown?.of === result ? shown?.lines : undefined;
}
