import type { FormatHost } from "../contributions.ts";

/** A failed request, as the client of OpenCode returns it. */
interface Unavailable {
  readonly data: undefined;
  readonly error: { readonly message: string };
}

/**
 * Replaces the client of the OpenCode server, which Toolwright does not run. Logging and notifications work. Every other
 * method resolves to an error, or rejects with it if `throwOnError` is set.
 */
export function openCodeClient(host: FormatHost): object {
  return member([], host);
}

function member(path: readonly string[], host: FormatHost): object {
  return new Proxy(() => {}, {
    get: (_, key) => (typeof key === "symbol" || key === "then" ? undefined : member([...path, key], host)),
    apply: (_target, _this, [request]: unknown[]) => callMethod(path.join("."), request, host),
  });
}

async function callMethod(method: string, request: unknown, host: FormatHost): Promise<object> {
  const { body, throwOnError } = (request ?? {}) as { body?: Record<string, unknown>; throwOnError?: unknown };
  // Newer clients pass the fields without `body`.
  const known = METHODS.get(method)?.((body ?? request ?? {}) as Record<string, unknown>, host);
  if (known) return known;
  const failure = unavailable(method);
  if (throwOnError === true) throw new Error(failure.error.message);
  return failure;
}

function unavailable(method: string): Unavailable {
  const message = `client.${method}() is not available: Toolwright does not run the OpenCode server. Tools and tool hooks of the plugin work without it.`;
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
