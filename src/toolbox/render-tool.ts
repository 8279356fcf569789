import type { RenderView } from "../core/render.ts";
import { untilAborted } from "../core/until-aborted.ts";
import type { Hosts } from "../protocol/hosts.ts";
import type { HostQuery } from "../protocol/messages.ts";
import type { Entry } from "../registry/entry.ts";

/** How long an author's renderer may take. */
const RENDER_MS = 200;

/** The lines that the author draws; undefined where there are none in time, or none at all. Never rejects. */
export async function renderTool(
  hosts: Hosts,
  { manifest, ref }: Entry,
  view: RenderView,
  importMs: number,
): Promise<readonly string[] | undefined> {
  if (!manifest.renders) return undefined;
  const target = { file: ref.file.file, tool: manifest.name };
  const request: HostQuery<"render"> = { kind: "render", target, view };
  const isLoaded = hosts.loadedFiles().includes(ref.file.file);
  const limit = AbortSignal.timeout(isLoaded ? RENDER_MS : RENDER_MS + importMs);
  // Whoever draws too slowly is not ended for it: nobody waits any more.
  const { signal } = new AbortController();
  const reply = await untilAborted(limit, () => hosts.ask(ref, request, signal));
  return reply?.kind === "rendered" ? reply.lines : undefined;
}
