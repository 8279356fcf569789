/** One value of a metric, with its labels. */
export interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** A counter with labels. */
export class Counter {
  readonly #samples = new Map<string, { readonly labels: Readonly<Record<string, string>>; value: number }>();

  increase(labels: Readonly<Record<string, string>>): void {
    const key = labelled(labels);
    const known = this.#samples.get(key);
    if (known) known.value += 1;
    else this.#samples.set(key, { labels, value: 1 });
  }

  get samples(): readonly Sample[] {
    return [...this.#samples.values()];
  }
}

/** A histogram of seconds with one label. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, { readonly upTo: number[]; sum: number; count: number }>();

  /** `bounds` are the upper bounds of the buckets, in ascending order. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
  }

  add(label: string, seconds: number): void {
    const series = this.#series.get(label) ?? { upTo: this.#bounds.map(() => 0), sum: 0, count: 0 };
    this.#series.set(label, series);
    for (const [index, bound] of this.#bounds.entries())
      if (seconds <= bound) series.upTo[index] = (series.upTo[index] ?? 0) + 1;
    series.sum += seconds;
    series.count += 1;
  }

  text(name: string, label: string, help: string): string {
    const lines = [...this.#series].flatMap(([value, { upTo, sum, count }]) => {
      const line = (suffix: string, total: number, more = {}): string =>
        sample(`${name}_${suffix}`, total, { [label]: value, ...more });
      return [
        ...upTo.map((times, index) => line("bucket", times, { le: String(this.#bounds[index]) })),
        line("bucket", count, { le: "+Inf" }),
        line("sum", sum),
        line("count", count),
      ];
    });
    return head(name, "histogram", help) + lines.join("");
  }
}

/** A metric family in the Prometheus text format. */
export function family(
  name: string,
  type: "counter" | "gauge",
  help: string,
  samples: readonly Sample[] | number,
): string {
  const all = typeof samples === "number" ? [{ value: samples }] : samples;
  return head(name, type, help) + all.map(({ value, labels }: Sample) => sample(name, value, labels)).join("");
}

function head(name: string, type: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

function sample(name: string, value: number, labels: Readonly<Record<string, string>> = {}): string {
  return `${name}${labelled(labels)} ${value}\n`;
}

/** Label values are names of tools and constants, which need no escaping. */
function labelled(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
