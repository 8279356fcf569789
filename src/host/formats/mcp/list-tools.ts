import type { Connection } from "./server-connection.ts";

/** Protects against a server with endless pages. */
const MAX_PAGES = 1000;

/**
 * All pages of a server's list, unchecked. Must not run concurrently for one connection. Afterwards, `pages.isFull` is
 * true if tools were dropped.
 */
export async function listServerTools({ client, pages }: Connection, timeoutMs: number): Promise<unknown[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const endsAt = performance.now() + timeoutMs;
  return pages.collect(async () => {
    let cursor: string | undefined;
    const seen = new Set<string>();
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const timeout = Math.max(1, endsAt - performance.now());
      ({ nextCursor: cursor } = await client.request({ method: "tools/list", params }, { timeout }));
      if (cursor === undefined || seen.has(cursor) || pages.isFull) return;
      seen.add(cursor);
    }
  });
}
