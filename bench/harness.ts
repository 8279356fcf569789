import { ratioOf, type Spread, shuffled, spreadOf } from "./statistics.ts";

/** The measurements of one run, by name: `wall` and `cpu` in ms, or names that the case defines. */
export type Sample = Readonly<Record<string, number>>;

/** A program that runs once per round: Toolwright or a peer. */
export interface Contender {
  readonly name: string;
  run(): Promise<Sample>;
}

/** A limit: relative to a peer, or absolute. */
export type Goal = {
  readonly of: string;
  readonly measure: string;
} /** `orPlus`: the goal is also met if the difference of the medians is at most this. */ & (
  | { readonly against: string; readonly atMost: number; readonly orPlus?: number }
  | { readonly atMost: number; readonly unit: string }
  | { readonly atLeast: number; readonly unit: string }
);

/** A prepared case. */
export interface Bench {
  readonly contenders: readonly Contender[];
  readonly goals: readonly Goal[];
  readonly rounds: number;
  /** Rounds before the first round that counts. */
  readonly warmUp: number;
  close?(): Promise<void>;
}

/** One benchmark. `folder` is an empty folder for its files. */
export interface Case {
  readonly name: string;
  /** What is compared with what, in one sentence. */
  readonly about: string;
  prepare(folder: string): Promise<Bench>;
}

/** A goal and its measured value. */
export interface Verdict {
  readonly goal: Goal;
  readonly measured: Spread;
  readonly met: boolean;
}

/** The result of a case. Samples and summaries are keyed by contender. */
export interface Outcome {
  readonly samples: Readonly<Record<string, readonly Sample[]>>;
  readonly summary: Readonly<Record<string, Readonly<Record<string, Spread>>>>;
  readonly verdicts: readonly Verdict[];
}

/** Runs all contenders in each round, in a new random order, and judges the goals. */
export async function measure(bench: Bench, random: () => number = Math.random): Promise<Outcome> {
  const samples = Object.fromEntries(bench.contenders.map(({ name }) => [name, [] as Sample[]]));
  for (let round = 0; round < bench.warmUp + bench.rounds; round++) {
    for (const contender of shuffled(bench.contenders, random)) {
      const sample = await contender.run();
      if (round >= bench.warmUp) samples[contender.name]?.push(sample);
    }
  }
  return {
    samples,
    summary: Object.fromEntries(Object.entries(samples).map(([name, taken]) => [name, summarize(taken)])),
    verdicts: bench.goals.map((goal) => judge(goal, samples)),
  };
}

/** Whether the samples meet a goal. NaN never does. */
export function judge(goal: Goal, samples: Readonly<Record<string, readonly Sample[]>>): Verdict {
  const values = valuesOf(samples[goal.of], goal.measure);
  const measured =
    "against" in goal ? ratioOf(values, valuesOf(samples[goal.against], goal.measure)) : spreadOf(values);
  const met = "atMost" in goal ? measured.value <= goal.atMost : measured.value >= goal.atLeast;
  if (met || !("against" in goal) || goal.orPlus === undefined) return { goal, measured, met };
  const difference = spreadOf(values).value - spreadOf(valuesOf(samples[goal.against], goal.measure)).value;
  return { goal, measured, met: difference <= goal.orPlus };
}

/** Goals with the same ratio for wall and CPU time. */
export function timesPeer(of: string, against: string, atMost: number): Goal[] {
  return ["wall", "cpu"].map((measure) => ({ of, measure, against, atMost }));
}

function summarize(samples: readonly Sample[]): Record<string, Spread> {
  const measures = new Set(samples.flatMap((sample) => Object.keys(sample)));
  return Object.fromEntries([...measures].map((measure) => [measure, spreadOf(valuesOf(samples, measure))]));
}

function valuesOf(samples: readonly Sample[] | undefined, measure: string): number[] {
  return (samples ?? []).map((sample) => sample[measure] ?? Number.NaN);
}
