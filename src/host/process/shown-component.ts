import type { ShownComponent, ViewComponent } from "../formats/contributions.ts";
import { boundedLines } from "../protocol/drawn-lines.ts";
import { CUSTOM_VIEW, type UiRequest, type ViewEvent, type ViewRequest } from "../protocol/messages.ts";

const MAX_TITLE = 200;

/**
 * Shows a component in the user interface, which asks for its lines and sends it keys until it is closed. Resolves to undefined
 * if the user interface shows no components. An error of the component counts as an empty drawing.
 */
export async function showComponent(
  component: ViewComponent,
  send: (request: UiRequest) => Promise<unknown>,
): Promise<ShownComponent | undefined> {
  const dialogID = crypto.randomUUID();
  const request = (view: ViewRequest): Promise<unknown> => send({ method: CUSTOM_VIEW, args: [], dialogID, view });
  const { overlay, title } = component;
  const named = title === undefined ? {} : { title: title.slice(0, MAX_TITLE) };
  if ((await request({ kind: "open", overlay, ...named })) !== true) return undefined;
  // Further changes are not reported until the reported one has been drawn.
  let isReported = false;
  const changed = (): void => {
    if (isReported) return;
    isReported = true;
    void request({ kind: "changed" });
  };
  const handleEvents = async (): Promise<void> => {
    let drawn: { id: number; lines: readonly string[] } | undefined;
    while (true) {
      const event = (await request({ kind: "next", ...(drawn ? { drawn } : {}) })) as ViewEvent | undefined;
      drawn = undefined;
      if (!event) return;
      if (event.kind === "draw") {
        isReported = false;
        drawn = { id: event.id, lines: linesOf(component, event) };
      } else {
        passInput(component, event.data);
        changed();
      }
    }
  };
  return { changed, close: () => void request({ kind: "close" }), closed: handleEvents() };
}

function linesOf(component: ViewComponent, { width, rows }: ViewEvent & { kind: "draw" }): string[] {
  try {
    return boundedLines(component.render(width, rows));
  } catch (error) {
    component.failed(error);
    return [];
  }
}

function passInput(component: ViewComponent, data: string): void {
  try {
    component.input(data);
  } catch (error) {
    component.failed(error);
  }
}
