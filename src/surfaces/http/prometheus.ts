/** One number, and what tells it from others of its family. */
export interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** How often things happened, apart by their labels. */
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

/** How long things took, in seconds, apart by a label. */
export class Durations {
  readonly #bounds: readonly number[];
  readonly #kept = new Map<string, { readonly upTo: number[]; sum: number; count: number }>();

  /** Told apart are those up to each of the bounds, which rise. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
  }

  add(of: string, seconds: number): void {
    const kept = this.#kept.get(of) ?? { upTo: this.#bounds.map(() => 0), sum: 0, count: 0 };
    this.#kept.set(of, kept);
    for (const [index, bound] of this.#bounds.entries())
      if (seconds <= bound) kept.upTo[index] = (kept.upTo[index] ?? 0) + 1;
    kept.sum += seconds;
    kept.count += 1;
  }

  text(name: string, label: string, help: string): string {
    const lines = [...this.#kept].flatMap(([of, { upTo, sum, count }]) => {
      const line = (what: string, value: number, more = {}): string =>
        sample(`${name}_${what}`, value, { [label]: of, ...more });
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

/** Numbers of one name, in the text format of Prometheus. */
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

/** Values are names of tools and words of ours: nothing in them has to be escaped. */
function labelled(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
