import type { RouteContext } from "./route-context.ts";

/** Returns a function that makes a value when it is first asked for, and again after the tools have changed. */
export function untilToolsChange<T>({ toolbox, stopping }: RouteContext, make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  const forget = (): void => {
    made = undefined;
  };
  const stops = [toolbox.on("change", forget), toolbox.on("session", forget)];
  stopping.addEventListener("abort", () => {
    for (const stop of stops) stop();
  });
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
