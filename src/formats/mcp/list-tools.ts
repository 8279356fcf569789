import type { Connection } from "./server-connection.ts";

/** A server that gives page after page for ever ends here. */
const MOST_PAGES = 1000;

/**
 * Everything that a server lists within this time, all pages of it, unchecked. One list at a time. `pages.isFull` says
 * afterwards whether there was more than is kept.
 */
export async function listTools({ client, pages }: Connection, timeoutMs: number): Promise<unknown[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const endsAt = performance.now() + timeoutMs;
  return pages.during(async () => {
    let cursor: string | undefined;
    const seen = new Set<string>();
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const timeout = Math.max(1, endsAt - performance.now());
      ({ nextCursor: cursor } = await client.request({ method: "tools/list", params }, { timeout }));
      if (cursor === undefined || seen.has(cursor) || pages.isFull) return;
      seen.add(cursor);
    }
  });
}
