import { createTheme } from "../../../authoring/pi/theme.ts";
import type { RenderView } from "../../../core/render.ts";
import type { Tool } from "../../../core/tool.ts";
import { boundedLines } from "../../protocol/drawn-lines.ts";
import type { PiRuntime } from "./pi-runtime.ts";

type Renderer = (...args: unknown[]) => unknown;

export interface Renderers {
  readonly renderCall?: unknown;
  readonly renderResult?: unknown;
}

/** The state of the renderers of one call, between two renders. */
interface RenderState {
  readonly state: object;
  call?: unknown;
  result?: unknown;
}

const MAX_CALLS = 100;

/**
 * Renders with `renderCall` and `renderResult` of a definition. Pi calls them as (args, theme, context) and
 * (result, options, theme, context). Oh-my-pi calls them as (args, options, theme), formerly (args, theme), and
 * (result, options, theme, args). An argument that differs between them therefore has the members of both.
 */
export function createRender(definition: Renderers, runtime: PiRuntime): { render?: NonNullable<Tool["render"]> } {
  const { renderCall, renderResult } = definition;
  if (typeof renderCall !== "function" && typeof renderResult !== "function") return {};
  const calls = new Map<string, RenderState>();
  return {
    render: async (view) => {
      const renderer = view.kind === "call" ? renderCall : renderResult;
      if (typeof renderer !== "function") return undefined;
      const state = stateOf(calls, view.callID);
      const component = callRenderer((...args) => renderer.apply(definition, args), view, state, runtime);
      state[view.kind] = component;
      return toLines(component, view);
    },
  };
}

function stateOf(calls: Map<string, RenderState>, callID: string): RenderState {
  const state = calls.get(callID) ?? { state: {} };
  // Inserted again, so that the least recently used call comes first.
  calls.delete(callID);
  calls.set(callID, state);
  const [oldest] = calls.keys();
  if (calls.size > MAX_CALLS && oldest !== undefined) calls.delete(oldest);
  return state;
}

function callRenderer(renderer: Renderer, view: RenderView, state: RenderState, runtime: PiRuntime): unknown {
  // Authors count on these options.
  const { expanded = false, isPartial = false, spinnerFrame = 0, input } = view;
  const theme = createTheme(view.color);
  const options = { expanded, isPartial, spinnerFrame };
  const context = { ...contextOf(view, state), expanded, isPartial };
  if (view.kind === "call") return renderer(input, { ...theme, ...options }, { ...theme, ...context });
  const result = { content: view.content, details: view.data, isError: view.isError };
  return renderer(result, options, theme, runtime.system === "omp" ? input : context);
}

function contextOf(view: RenderView, state: RenderState): object {
  return {
    args: view.input,
    toolCallId: view.callID,
    invalidate: () => {},
    lastComponent: state[view.kind],
    state: state.state,
    cwd: view.cwd,
    executionStarted: true,
    argsComplete: true,
    showImages: false,
    isError: view.kind === "result" && view.isError,
  };
}

/** The lines that a renderer returned, cut to the width. Undefined if it returned nothing to show. */
async function toLines(rendered: unknown, { width, color }: RenderView): Promise<readonly string[] | undefined> {
  const lines =
    typeof rendered === "string"
      ? rendered.split("\n")
      : Array.isArray(rendered)
        ? rendered
        : componentLines(rendered, width);
  if (lines === undefined) return undefined;
  const { stripTerminalSequences, truncateToWidth, visibleWidth } = await import("@earendil-works/pi-tui");
  return boundedLines(lines).map((line) => {
    const text = color ? line : stripTerminalSequences(line);
    if (visibleWidth(text) <= width) return text;
    const cut = truncateToWidth(text, width, "");
    return color ? cut : stripTerminalSequences(cut);
  });
}

function componentLines(component: unknown, width: number): unknown[] | undefined {
  if (typeof component !== "object" || component === null || !("render" in component)) return undefined;
  const lines = typeof component.render === "function" ? component.render(width) : undefined;
  return Array.isArray(lines) ? lines : undefined;
}
