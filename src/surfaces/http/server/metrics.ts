import type { ToolEvent } from "../../../core/events.ts";
import type { Source } from "../../../core/tool.ts";
import { VERSION } from "../../../core/version.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import { Counter, family, Histogram, type Sample } from "./prometheus.ts";

/** Upper bounds of the histogram buckets, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** The maximum number of tool names with separate metrics: tools may come and go while the server runs. */
const MAX_NAMES = 2_000;

const KINDS = "node and bun for tool files, own for built-in and JSON tools, mcp for MCP servers";

const SOURCES: readonly Source[] = ["builtin", "custom", "plugin", "mcp"];

/** Numbers that other parts of the server know. */
interface CurrentNumbers {
  readonly mcpSessions: number;
  /** Turns of agents that run, and that wait. */
  readonly turns: { readonly running: number; readonly waiting: number };
  /** Open event streams of sessions. */
  readonly readers: number;
}

/** Prometheus metrics of the HTTP server, and of calls from any surface. */
export class Metrics {
  readonly #toolbox: Toolbox;
  readonly #calls = new Counter();
  readonly #durations = new Histogram(BOUNDS);
  readonly #responses = new Counter();
  readonly #errors = new Counter();
  readonly #names = new Set<string>();
  readonly #stop: () => void;
  #running = 0;

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
    this.#stop = toolbox.on("call", (event) => this.#record(event));
  }

  close(): void {
    this.#stop();
  }

  countError(code: string): void {
    this.#errors.increase({ code });
  }

  countResponse(status: number): void {
    this.#responses.increase({ status: String(status) });
  }

  /** All metrics in the Prometheus text format. */
  text({ mcpSessions, turns, readers }: CurrentNumbers): string {
    return [
      family("toolwright_build_info", "gauge", "Always 1, labelled with versions.", [{ value: 1, labels: BUILD }]),
      family("toolwright_calls_total", "counter", "Calls that have ended, by tool and outcome.", this.#calls.samples),
      this.#durations.text("toolwright_call_duration_seconds", "tool", "Duration of calls."),
      family("toolwright_calls_running", "gauge", "Calls that are running.", this.#running),
      family("toolwright_tools", "gauge", "Tools that can be called, by source.", this.#tools()),
      family("toolwright_problems", "gauge", "Problems with tool files.", this.#toolbox.problems().length),
      ...this.#hosts(),
      family("toolwright_mcp_sessions", "gauge", "Sessions of MCP clients of 2025-11-25 and older.", mcpSessions),
      family("toolwright_turns", "gauge", "Turns of agents that clients have begun, by state.", [
        { value: turns.running, labels: { state: "running" } },
        { value: turns.waiting, labels: { state: "waiting" } },
      ]),
      family("toolwright_session_readers", "gauge", "Open event streams of sessions.", readers),
      family("toolwright_http_requests_total", "counter", "Requests answered, by status.", this.#responses.samples),
      family("toolwright_http_refused_total", "counter", "Requests refused, by reason.", this.#errors.samples),
      ...processMetrics(),
    ].join("");
  }

  #tools(): readonly Sample[] {
    const tools = this.#toolbox.list().filter(({ enabled }) => enabled);
    return SOURCES.map((source) => ({
      value: tools.filter((tool) => tool.source === source).length,
      labels: { source },
    }));
  }

  #hosts(): readonly string[] {
    const hosts = this.#toolbox.status.hosts;
    const each = (key: "alive" | "started" | "died"): readonly Sample[] =>
      hosts.map(({ kind, [key]: value }) => ({ value, labels: { kind } }));
    return [
      family("toolwright_hosts", "gauge", `Processes that run now for tools: ${KINDS}.`, each("alive")),
      family("toolwright_hosts_started_total", "counter", "Processes started for tools.", each("started")),
      family("toolwright_hosts_died_total", "counter", "Tool processes that crashed or were killed.", each("died")),
    ];
  }

  #record(event: ToolEvent): void {
    if (event.type === "tool.start") this.#running += 1;
    if (event.type !== "tool.complete" && event.type !== "tool.failed") return;
    this.#running -= 1;
    const tool = this.#labelOf(event.tool);
    const outcome = event.type === "tool.complete" ? "ok" : event.result.error.code;
    this.#calls.increase({ tool, outcome });
    this.#durations.add(tool, event.result.notes.durationMs / 1000);
  }

  /** Clients may send any number of unknown names: they are counted together, as "". */
  #labelOf(tool: string): string {
    if (this.#names.has(tool)) return tool;
    if (this.#names.size >= MAX_NAMES || !this.#toolbox.has(tool)) return "";
    this.#names.add(tool);
    return tool;
  }
}

const BUILD = { version: VERSION, node: process.versions.node };

function processMetrics(): readonly string[] {
  const { user, system } = process.cpuUsage();
  const rss = process.memoryUsage.rss();
  return [
    family("process_cpu_seconds_total", "counter", "CPU time of the server process.", (user + system) / 1e6),
    family("process_resident_memory_bytes", "gauge", "Memory of the server process.", rss),
    family("process_start_time_seconds", "gauge", "Start time of the server process.", performance.timeOrigin / 1000),
  ];
}
