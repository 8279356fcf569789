import { tool } from "@opencode-ai/plugin";

namespace Backoff {
  export enum Kind {
    Linear = "linear",
    Exponential = "exponential",
  }

  export const DEFAULT = Kind.Exponential;

  export const delays = (kind: Kind, attempts: number, base: number): number[] =>
    Array.from({ length: attempts }, (_, i) => (kind === Kind.Linear ? base * (i + 1) : base * 2 ** i));
}

const enum Limit {
  Attempts = 8,
}

/** Counts how often a method is called. */
function counted(_target: object, _key: string, descriptor: PropertyDescriptor): PropertyDescriptor {
  const inner = descriptor.value as (...args: unknown[]) => string;
  let calls = 0;
  return {
    ...descriptor,
    value(this: unknown, ...args: unknown[]) {
      calls += 1;
      return `#${calls} ${inner.apply(this, args)}`;
    },
  };
}

class Planner {
  constructor(
    private readonly kind: Backoff.Kind,
    public base = 100,
  ) {}

  @counted
  plan(attempts: number): string {
    return Backoff.delays(this.kind, attempts, this.base)
      .map((ms) => `${ms}ms`)
      .join(" ");
  }
}

export default tool({
  description: "Plan the pauses between retries",
  args: {
    attempts: tool.schema.number().int().min(1).max(Limit.Attempts).default(3),
    kind: tool.schema.nativeEnum(Backoff.Kind).default(Backoff.DEFAULT),
  },
  execute: async ({ attempts, kind }): Promise<string> => new Planner(kind).plan(attempts),
});
