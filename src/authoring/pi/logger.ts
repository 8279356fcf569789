type Level = "debug" | "info" | "warn" | "error";
type Write = (message: string, data?: unknown) => void;

/** A log for the author of a file. Models do not read it. */
export interface Logger extends Readonly<Record<Level, Write>> {
  /** Calls `work`, returns its result and logs the duration. */
  time<T>(label: string, work?: (...args: unknown[]) => T, ...args: unknown[]): T | undefined;
}

export function createLogger(write: (level: Level, message: string, data?: unknown) => void): Logger {
  const at =
    (level: Level): Write =>
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

/** The logger that files import. In a host process, console output goes to the log. */
export const logger: Logger = createLogger((level, message, data) =>
  console[level](message, ...(data === undefined ? [] : [data])),
);
