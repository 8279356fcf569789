import { visibleWidth } from "@earendil-works/pi-tui";
import type { Content } from "../../../core/result.ts";
import type { LoggedResult } from "../../../core/session-log.ts";
import { unknownEffect } from "../../../core/unknown-effect.ts";
import { durationText } from "../../../platform/text/amount-text.ts";
import { callView } from "../../../sessions/cards/call-view.ts";
import type { CallItem } from "../../../sessions/log/session-item.ts";
import type { DrawRequest } from "../../../toolbox/toolbox.ts";
import type { ChatTheme } from "../chat-theme.ts";
import { safeLine } from "../safe-text.ts";
import { BoundedText } from "./bounded-text.ts";
import { CallBody } from "./call-body.ts";
import { CallResult } from "./call-result.ts";
import { inputSummary, inputText, progressLines } from "./call-text.ts";
import { ChatItem, type ChatView } from "./chat-item.ts";
import { cutRow, fitLines, moreLines, wrapText } from "./fit-lines.ts";
import { type Draw, OwnRendering } from "./own-rendering.ts";

export interface ToolCardOptions {
  readonly theme: ChatTheme;
  readonly view: ChatView;
  readonly draw: Draw;
  readonly cwd: string;
  /** Called when the author's rendering has arrived. */
  readonly requestRender: () => void;
}

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
/** An author decides how much a collapsed card shows, within reason. */
const COLLAPSED_OWN_LINES = 60;
const PROGRESS_LINES = { collapsed: 5, expanded: 30 } as const;
const INTERRUPTED = `Interrupted. ${unknownEffect()}`;
/** Narrower cards are not indented further. */
const MIN_WIDTH = 16;

/** A call of a tool: what is called, its progress, and its result. The author's renderers draw it if there are any. */
export class ToolCard extends ChatItem {
  override readonly hasGap: boolean;
  readonly #options: ToolCardOptions;
  readonly #name: string;
  readonly #ownCall: OwnRendering;
  readonly #ownResult: OwnRendering;
  #call: CallItem;
  /** Undefined for a call that is shown as data. */
  #body: CallBody | undefined;
  #summary: string;
  #updates = 0;
  #frame = 0;
  #result: LoggedResult | undefined;
  #plainResult: CallResult | undefined;
  #inputText: BoundedText | undefined;
  #durationMs: number | undefined;

  constructor(call: CallItem, options: ToolCardOptions) {
    super();
    this.#call = call;
    this.hasGap = call.depth === 0;
    this.#options = options;
    this.#name = safeLine(call.tool.slice(0, 200));
    this.#body = this.#bodyOf(call);
    this.#summary = this.#body?.summary ?? inputSummary(call.input);
    const drawn = (): void => {
      this.changed("progress");
      options.requestRender();
    };
    this.#ownCall = new OwnRendering(options.draw, drawn);
    this.#ownResult = new OwnRendering(options.draw, drawn);
  }

  get #isRunning(): boolean {
    return this.#call.state === "running";
  }

  override show({ result, ...call }: CallItem): void {
    this.#call = call;
    if (this.#isRunning) this.#updates += 1;
    this.changed(this.#isRunning ? "progress" : "content");
    if (!result) return;
    // What a call changes may be known only from its result.
    this.#body = this.#bodyOf({ ...call, result }) ?? this.#body;
    this.#summary = this.#body?.summary ?? this.#summary;
    this.#result = result;
    this.#durationMs = result.notes?.durationMs;
    this.#plainResult = new CallResult(result, this.#options.theme);
  }

  /** The next frame of the spinner. */
  tick(frame: number): void {
    this.#frame = frame;
    this.changed("progress");
  }

  dispose(): void {
    this.#ownCall.dispose();
    this.#ownResult.dispose();
  }

  #bodyOf(call: CallItem): CallBody | undefined {
    const { theme, cwd } = this.#options;
    const view = callView(call, cwd);
    return view && new CallBody(view, theme);
  }

  protected override draw(fullWidth: number): readonly string[] {
    const { theme } = this.#options;
    const indent = Math.max(0, Math.min(2 * this.#call.depth, fullWidth - MIN_WIDTH));
    const width = fullWidth - indent;
    const inner = Math.max(1, width - 2);
    const rows = [...this.#head(width, inner), ...this.#details(inner).map((row) => `  ${row}`)];
    return fitLines(
      rows.map((row) => " ".repeat(indent) + row),
      fullWidth,
      theme,
    );
  }

  #head(width: number, inner: number): string[] {
    const { theme } = this.#options;
    const own = this.#own(this.#ownCall, { ...this.#view(inner), kind: "call" });
    const time = this.#time();
    if (!own) return [`${this.#mark()} ${this.#title(width - 2, time)}`];
    const [first = "", ...rest] = own;
    const fits = visibleWidth(first) + time.length < inner;
    return [
      `${this.#mark()} ${first}${fits && time !== "" ? ` ${theme.dim(time)}` : ""}`,
      ...rest.map((row) => `  ${row}`),
    ];
  }

  #title(width: number, time: string): string {
    const { theme } = this.#options;
    const name = cutRow(theme.bold(this.#name), width, theme);
    const end = time === "" ? "" : ` ${theme.dim(time)}`;
    const left = width - visibleWidth(name) - visibleWidth(end) - 1;
    const summary = left < 4 || this.#summary === "" ? "" : ` ${cutRow(this.#summary, left, theme)}`;
    return visibleWidth(name + end) > width ? name : `${name}${summary}${end}`;
  }

  #mark(): string {
    const { theme } = this.#options;
    const { state } = this.#call;
    if (state === "running") return theme.accent(SPINNER[this.#frame % SPINNER.length] ?? "");
    if (state === "ok") return theme.success("✓");
    return state === "failed" ? theme.error("✗") : theme.warning("?");
  }

  /** Whole seconds while the call runs. */
  #time(): string {
    if (this.#durationMs !== undefined) return durationText(this.#durationMs);
    const seconds = this.#isRunning ? Math.floor((Date.now() - this.#call.at) / 1_000) : 0;
    if (seconds < 1) return "";
    return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }

  #details(width: number): string[] {
    const { theme } = this.#options;
    const input = this.#ownCall.isNothing(this.#isRunning) ? this.#inputRows(width) : [];
    if (this.#call.state === "unknown") return [...input, ...wrapText(theme.warning(INTERRUPTED), width, theme)];
    if (this.#isRunning) return [...input, ...this.#progress(width)];
    return [...input, ...this.#resultRows(width)];
  }

  #inputRows(width: number): string[] {
    const { theme, view } = this.#options;
    if (this.#body) return this.#body.rows(width, view.isExpanded);
    if (!view.isExpanded) return [];
    this.#inputText ??= new BoundedText(inputText(this.#call.input), { theme, style: theme.dim });
    return this.#inputText.expanded(width);
  }

  #progress(width: number): string[] {
    const { theme, view } = this.#options;
    const { update = {} } = this.#call;
    const { title, metadata } = update;
    if (metadata !== undefined) {
      const { output, ...data } = metadata;
      const content: Content[] = typeof output === "string" ? [{ type: "text", text: output }] : [];
      const own = this.#own(this.#ownResult, { ...this.#view(width), kind: "result", content, data, isError: false });
      if (own) return own;
    }
    const shownTitle = title === undefined ? "" : safeLine(title.slice(0, 400));
    const max = view.isExpanded ? PROGRESS_LINES.expanded : PROGRESS_LINES.collapsed;
    const rows = [
      ...(shownTitle === "" || this.#summary.includes(shownTitle) ? [] : [shownTitle]),
      ...progressLines(update, max),
    ];
    return rows.map((row) => theme.dim(cutRow(row, width, theme)));
  }

  #resultRows(width: number): string[] {
    const { view } = this.#options;
    const own = this.#result && this.#own(this.#ownResult, this.#resultView(this.#result, width));
    if (own) return own;
    // Without a renderer, the first lines of the output are enough.
    if (this.#ownResult.isNothing(false)) this.#result = undefined;
    if (this.#body?.replacesResult && this.#call.state === "ok" && !view.isExpanded) return [];
    return this.#plainResult?.rows(width, view.isExpanded) ?? [];
  }

  #resultView({ ok, content, data }: LoggedResult, width: number): DrawRequest {
    const result = { content: content ?? [], ...(data === undefined ? {} : { data }), isError: !ok };
    return { ...this.#view(width), kind: "result", ...result };
  }

  #view(width: number): Omit<DrawRequest, "kind"> {
    const { theme, view, cwd } = this.#options;
    const { tool, callID, input } = this.#call;
    const isPartial = this.#isRunning;
    const running = isPartial ? { isPartial, spinnerFrame: this.#frame } : {};
    const { color } = theme;
    return { name: tool, width, expanded: view.isExpanded, ...running, color, callID, cwd, input: input ?? {} };
  }

  #own(rendering: OwnRendering, request: DrawRequest): string[] | undefined {
    const { theme, view } = this.#options;
    const lines = rendering.lines(request, this.#updates);
    if (!lines || view.isExpanded || lines.length <= COLLAPSED_OWN_LINES) return lines && [...lines];
    const more = theme.dim(`… ${moreLines(lines.length - COLLAPSED_OWN_LINES)} (Ctrl-O expands)`);
    return [...lines.slice(0, COLLAPSED_OWN_LINES), more];
  }
}
