import type { ToolEvent } from "../../core/events.ts";
import type { Toolbox } from "../../toolbox.ts";

/** Upper bounds of durations that are told apart, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

interface Durations {
  readonly upTo: number[];
  sum: number;
  count: number;
}

/** Counts calls, whichever surface they come through, for Prometheus. */
export class Metrics {
  readonly #toolbox: Toolbox;
  readonly #calls = new Map<string, number>();
  readonly #durations = new Map<string, Durations>();
  readonly #refused = new Map<string, number>();
  readonly #stop: () => void;
  #running = 0;

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
    this.#stop = toolbox.onEvent((event) => this.#record(event));
  }

  close(): void {
    this.#stop();
  }

  /** Counts a request that was refused. */
  refused(code: string): void {
    increase(this.#refused, labels({ code }));
  }

  /** Everything, in the text format of Prometheus. */
  text(): string {
    const tools = new Map<string, number>();
    for (const { source, enabled } of this.#toolbox.list()) if (enabled) increase(tools, labels({ source }));
    const problems = new Map([["", this.#toolbox.problems().length]]);
    return [
      family("toolwright_calls_total", "counter", "Calls that have ended, by tool and outcome.", this.#calls),
      this.#durationLines(),
      family("toolwright_calls_running", "gauge", "Calls that are under way.", new Map([["", this.#running]])),
      family("toolwright_tools", "gauge", "Tools that can be called, by source.", tools),
      family("toolwright_problems", "gauge", "What is wrong with tool files.", problems),
      family("toolwright_http_refused_total", "counter", "Requests that were refused, by reason.", this.#refused),
    ].join("");
  }

  #record(event: ToolEvent): void {
    if (event.type === "tool.start") this.#running += 1;
    if (event.type !== "tool.complete" && event.type !== "tool.failed") return;
    this.#running -= 1;
    // Names that no tool has are whatever somebody sent: they would be without end.
    const tool = this.#toolbox.has(event.tool) ? event.tool : "";
    const outcome = event.type === "tool.complete" ? "ok" : event.result.error.code;
    increase(this.#calls, labels({ tool, outcome }));
    this.#measure(tool, event.result.notes.durationMs / 1000);
  }

  #measure(tool: string, seconds: number): void {
    const kept = this.#durations.get(tool) ?? { upTo: BOUNDS.map(() => 0), sum: 0, count: 0 };
    this.#durations.set(tool, kept);
    for (const [index, bound] of BOUNDS.entries()) if (seconds <= bound) kept.upTo[index] = (kept.upTo[index] ?? 0) + 1;
    kept.sum += seconds;
    kept.count += 1;
  }

  #durationLines(): string {
    const name = "toolwright_call_duration_seconds";
    const lines = [...this.#durations].flatMap(([tool, { upTo, sum, count }]) => [
      ...upTo.map((calls, index) => `${name}_bucket${labels({ tool, le: String(BOUNDS[index]) })} ${calls}`),
      `${name}_bucket${labels({ tool, le: "+Inf" })} ${count}`,
      `${name}_sum${labels({ tool })} ${sum}`,
      `${name}_count${labels({ tool })} ${count}`,
    ]);
    return head(name, "histogram", "How long calls took.") + lines.map((line) => `${line}\n`).join("");
  }
}

function family(name: string, type: string, help: string, values: ReadonlyMap<string, number>): string {
  return head(name, type, help) + [...values].map(([labelled, value]) => `${name}${labelled} ${value}\n`).join("");
}

function head(name: string, type: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

/** Values are names of tools and words of ours: nothing in them has to be escaped. */
function labels(values: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(values).map(([name, value]) => `${name}="${value}"`);
  return `{${pairs.join(",")}}`;
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
