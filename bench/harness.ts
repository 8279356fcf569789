import { ratioOf, type Spread, shuffled, spreadOf } from "./statistics.ts";

/** What one run took, by measure: `wall` and `cpu` in ms, or whatever a case counts. */
export type Sample = Readonly<Record<string, number>>;

/** Something that is run once per round: a candidate of ours, or a peer to hold it against. */
export interface Contender {
  readonly name: string;
  run(): Promise<Sample>;
}

/** What must hold: so many times a peer, or so much in itself. */
export type Goal = { readonly of: string; readonly measure: string } & (
  | { readonly against: string; readonly atMost: number }
  | { readonly atMost: number; readonly unit: string }
  | { readonly atLeast: number; readonly unit: string }
);

/** A case made ready to run. */
export interface Bench {
  readonly contenders: readonly Contender[];
  readonly goals: readonly Goal[];
  readonly rounds: number;
  /** Rounds that are run first and not counted. */
  readonly warmUp: number;
  close?(): Promise<void>;
}

/** One benchmark. It is given an empty folder of its own. */
export interface Case {
  readonly name: string;
  /** What is measured against what, in one sentence. */
  readonly about: string;
  prepare(folder: string): Promise<Bench>;
}

/** A goal and what came of it. */
export interface Verdict {
  readonly goal: Goal;
  readonly measured: Spread;
  readonly met: boolean;
}

/** What a case gave: every sample by contender, summaries of them, and the goals. */
export interface Outcome {
  readonly samples: Readonly<Record<string, readonly Sample[]>>;
  readonly summary: Readonly<Record<string, Readonly<Record<string, Spread>>>>;
  readonly verdicts: readonly Verdict[];
}

/** Runs the contenders in turns, in a new random order each round, and judges the goals. */
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

/** Whether the samples meet a goal. What could not be measured (NaN) does not. */
export function judge(goal: Goal, samples: Readonly<Record<string, readonly Sample[]>>): Verdict {
  const values = valuesOf(samples[goal.of], goal.measure);
  const measured =
    "against" in goal ? ratioOf(values, valuesOf(samples[goal.against], goal.measure)) : spreadOf(values);
  const met = "atMost" in goal ? measured.value <= goal.atMost : measured.value >= goal.atLeast;
  return { goal, measured, met };
}

/** The same ratio for wall and for CPU time. */
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
