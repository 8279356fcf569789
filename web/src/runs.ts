import type { LoggedQuestion, QuestionAnswer, QuestionEvent } from "../../src/core/question.ts";
import { type Client, type PlainResult, RequestRefused } from "../../src/surfaces/http/client/index.ts";

export type Input = Readonly<Record<string, unknown>>;

/** The last call of a tool from this page. */
export type Run = { readonly input: Input; readonly startedAt: number } & (
  | {
      readonly kind: "running";
      /** The last progress. */
      readonly title?: string;
      readonly metadata?: Readonly<Record<string, unknown>>;
      readonly questions: readonly LoggedQuestion[];
    }
  | { readonly kind: "ended"; readonly result: PlainResult }
  /** The request failed or was aborted, so there is no result. */
  | { readonly kind: "failed"; readonly message: string; readonly aborted: boolean; readonly ms: number }
);

/** The calls that the page makes. They go on while other views are shown. */
export interface Runs {
  readonly get: (tool: string) => Run | undefined;
  readonly subscribe: (listener: () => void) => () => void;
  /** Does nothing while a call of the tool runs. */
  readonly start: (tool: string, input: Input) => void;
  readonly abort: (tool: string) => void;
  readonly answer: (questionID: string, answer: QuestionAnswer) => Promise<void>;
}

export function createRuns({ tools, answer }: Pick<Client, "tools" | "answer">): Runs {
  const runs = new Map<string, { readonly run: Run; readonly controller: AbortController }>();
  const listeners = new Set<() => void>();

  const start = (tool: string, input: Input): void => {
    if (runs.get(tool)?.run.kind === "running") return;
    const controller = new AbortController();
    const startedAt = Date.now();
    const begun = { input, startedAt, kind: "running", questions: [] } as const;
    const show = (run: Run): void => {
      runs.set(tool, { run, controller });
      for (const listener of [...listeners]) listener();
    };
    const change = (change: (run: Run & { kind: "running" }) => Run): void => {
      const run = runs.get(tool)?.run;
      if (run?.kind === "running" && run.startedAt === startedAt) show(change(run));
    };
    show(begun);
    const options = {
      signal: controller.signal,
      onUpdate: ({ title, metadata }: { title?: string; metadata?: Readonly<Record<string, unknown>> }) =>
        change((run) => ({ ...run, ...(title !== undefined && { title }), ...(metadata && { metadata }) })),
      onQuestion: (event: QuestionEvent) =>
        change((run) => {
          const others = run.questions.filter(({ questionID }) => questionID !== event.questionID);
          const asked = event.type === "question.asked" ? [event] : [];
          return { ...run, questions: [...others, ...asked] };
        }),
    };
    tools.run(tool, input, options).then(
      (result) => show({ input, startedAt, kind: "ended", result }),
      (error: unknown) => {
        const aborted = controller.signal.aborted;
        show({
          input,
          startedAt,
          kind: "failed",
          message: messageOf(error, aborted),
          aborted,
          ms: Date.now() - startedAt,
        });
      },
    );
  };

  return {
    get: (tool) => runs.get(tool)?.run,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start,
    abort: (tool) => runs.get(tool)?.controller.abort(),
    answer: (questionID, given) => answer(questionID, given),
  };
}

function messageOf(error: unknown, aborted: boolean): string {
  if (aborted) return "You aborted the call. Whatever the tool had done by then has happened.";
  if (error instanceof RequestRefused) return error.message;
  return error instanceof Error ? error.message : String(error);
}
