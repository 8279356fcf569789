import { createTheme } from "../../authoring/pi/theme.ts";
import type { RenderView } from "../../core/render.ts";
import type { Tool } from "../../core/tool.ts";
import type { PiRuntime } from "./pi-runtime.ts";

type Renderer = (...args: unknown[]) => unknown;

/** What a definition draws itself with. */
export interface Renderers {
  readonly renderCall?: unknown;
  readonly renderResult?: unknown;
}

/** What the renderers of one call keep between two drawings. */
interface Kept {
  readonly state: object;
  call?: unknown;
  result?: unknown;
}

const MOST_CALLS = 100;

/**
 * Draws with the file's own renderers. Pi calls them as (args, theme, context) and (result, options, theme, context),
 * oh-my-pi as (args, options, theme), or once (args, theme), and (result, options, theme, args). So each object that
 * stands for two of these has what both have.
 */
export function createRender(definition: Renderers, runtime: PiRuntime): { render?: NonNullable<Tool["render"]> } {
  const { renderCall, renderResult } = definition;
  if (typeof renderCall !== "function" && typeof renderResult !== "function") return {};
  const calls = new Map<string, Kept>();
  return {
    render: async (view) => {
      const renderer = view.kind === "call" ? renderCall : renderResult;
      if (typeof renderer !== "function") return undefined;
      const kept = keep(calls, view.callID);
      const component = draw((...args) => renderer.apply(definition, args), view, kept, runtime);
      kept[view.kind] = component;
      return linesOf(component, view);
    },
  };
}

function keep(calls: Map<string, Kept>, callID: string): Kept {
  const kept = calls.get(callID) ?? { state: {} };
  // Set anew, so that the oldest stands first.
  calls.delete(callID);
  calls.set(callID, kept);
  const [oldest] = calls.keys();
  if (calls.size > MOST_CALLS && oldest !== undefined) calls.delete(oldest);
  return kept;
}

function draw(renderer: Renderer, view: RenderView, kept: Kept, runtime: PiRuntime): unknown {
  const { expanded, isPartial, spinnerFrame = 0, input } = view;
  const theme = createTheme(view.color);
  const options = { expanded, isPartial, spinnerFrame };
  const context = contextOf(view, kept);
  if (view.kind === "call") return renderer(input, { ...theme, ...options }, { ...theme, ...context });
  const result = { content: view.content, details: view.data, isError: view.isError };
  return renderer(result, options, theme, runtime.system === "omp" ? input : context);
}

function contextOf(view: RenderView, kept: Kept): object {
  return {
    args: view.input,
    toolCallId: view.callID,
    invalidate: () => {},
    lastComponent: kept[view.kind],
    state: kept.state,
    cwd: view.cwd,
    executionStarted: true,
    argsComplete: true,
    isPartial: view.isPartial,
    expanded: view.expanded,
    showImages: false,
    isError: view.kind === "result" && view.isError,
  };
}

/** What a renderer returned, as lines that fit. Undefined where it drew nothing. */
async function linesOf(drawn: unknown, { width, color }: RenderView): Promise<readonly string[] | undefined> {
  const lines = typeof drawn === "string" ? drawn.split("\n") : Array.isArray(drawn) ? drawn : rendered(drawn, width);
  if (lines === undefined) return undefined;
  const { stripTerminalSequences, truncateToWidth, visibleWidth } = await import("@earendil-works/pi-tui");
  return lines.map(String).map((line) => {
    const text = color ? line : stripTerminalSequences(line);
    if (visibleWidth(text) <= width) return text;
    const cut = truncateToWidth(text, width, "");
    return color ? cut : stripTerminalSequences(cut);
  });
}

function rendered(component: unknown, width: number): unknown[] | undefined {
  if (typeof component !== "object" || component === null || !("render" in component)) return undefined;
  const lines = typeof component.render === "function" ? component.render(width) : undefined;
  return Array.isArray(lines) ? lines : undefined;
}
