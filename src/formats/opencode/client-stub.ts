import type { FormatHost } from "../contributions.ts";

/** What every call of a client that has no server answers, as that client answers failures. */
interface Unanswered {
  readonly data: undefined;
  readonly error: { readonly message: string };
}

/**
 * Stands for the client of OpenCode's server, which is not running here. Logging and notices work; any other call, by
 * whatever name, answers with an error that says so, and rejects with it where `throwOnError` is asked for.
 */
export function openCodeClient(host: FormatHost): object {
  return member([], host);
}

function member(path: readonly string[], host: FormatHost): object {
  return new Proxy(() => {}, {
    get: (_, key) => (typeof key === "symbol" || key === "then" ? undefined : member([...path, key], host)),
    apply: (_target, _this, [request]: unknown[]) => answer(path.join("."), request, host),
  });
}

async function answer(method: string, request: unknown, host: FormatHost): Promise<object> {
  const { body, throwOnError } = (request ?? {}) as { body?: Record<string, unknown>; throwOnError?: unknown };
  // Later clients take the fields without a body around them.
  const known = METHODS.get(method)?.((body ?? request ?? {}) as Record<string, unknown>, host);
  if (known) return known;
  const failure = unanswered(method);
  if (throwOnError === true) throw new Error(failure.error.message);
  return failure;
}

function unanswered(method: string): Unanswered {
  const message = `OpenCode's server is not running here, so client.${method}() has no answer. The plugin's tools and tool hooks work without it.`;
  return { data: undefined, error: { message } };
}

type Method = (fields: Record<string, unknown>, host: FormatHost) => object;

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>(
  Object.entries<Method>({
    "app.log": ({ level, service, message, extra }, host) => {
      const text = typeof service === "string" ? `${service}: ${message}` : String(message);
      host.log(isLevel(level) ? level : "info", text, extra);
      return { data: true };
    },
    "tui.showToast": ({ message, variant }, host) => {
      host
        .ui("notify", [String(message), variant === "error" || variant === "warning" ? variant : "info"])
        .catch(() => {});
      return { data: host.hasUI };
    },
    "event.subscribe": () => ({ stream: noEvents() }),
  }),
);

function isLevel(level: unknown): level is "debug" | "info" | "warn" | "error" {
  return level === "debug" || level === "info" || level === "warn" || level === "error";
}

async function* noEvents(): AsyncGenerator<never> {}
