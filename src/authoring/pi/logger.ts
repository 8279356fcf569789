type Level = "debug" | "info" | "warn" | "error";
type Say = (message: string, data?: unknown) => void;

/** Where files write what is for their author, and not for a model. */
export interface Logger extends Readonly<Record<Level, Say>> {
  /** Does the work and answers with what it gave; how long it took is written down. */
  time<T>(label: string, work?: (...args: unknown[]) => T, ...args: unknown[]): T | undefined;
}

export function createLogger(write: (level: Level, message: string, data?: unknown) => void): Logger {
  const at =
    (level: Level): Say =>
    (message, data) =>
      write(level, String(message), data);
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    time: (label, work, ...args) => {
      const start = performance.now();
      try {
        return work?.(...args);
      } finally {
        write("debug", `${label}: ${Math.round(performance.now() - start)} ms`);
      }
    },
  };
}

/** For files that import it: in a host, what goes to the console goes to the log. */
export const logger: Logger = createLogger((level, message, data) =>
  console[level](message, ...(data === undefined ? [] : [data])),
);
