import { readFileSync } from "node:fs";
import { isIPv6 } from "node:net";
import { resolve } from "node:path";
import { messageOf } from "../../core/error.ts";
import { shellWord } from "../../platform/text/shell-word.ts";
import type { Environment } from "../../settings/defaults.ts";
import { createToken, tokenFault } from "../http/parts/access-token.ts";
import { isLoopback } from "../http/parts/guards/host-names.ts";
import { type Invocation, type OptionSpecs, optionValue } from "./args/command.ts";
import { UsageError } from "./args/usage-error.ts";

/** The options of commands that serve over HTTP. */
export const HTTP_OPTIONS: OptionSpecs = {
  port: { type: "string", value: "N", help: "Port to listen on; 0 picks a free one" },
  host: { type: "string", value: "ADDRESS", help: "Address to listen on (default 127.0.0.1)" },
  "allow-host": { type: "string", multiple: true, value: "NAME", help: "Host name that clients may use (repeatable)" },
  "token-file": { type: "string", value: "FILE", help: "Read the token from a file instead of $TOOLWRIGHT_TOKEN" },
};

/** Where to listen, and the token of clients. */
export interface HttpFlags {
  readonly host: string;
  readonly port: number;
  readonly allowHosts: readonly string[];
  readonly token: string;
  /** A shell expression for the user's token; absent if the token was generated and must be printed. */
  readonly tokenFrom?: string;
}

const VARIABLE = "TOOLWRIGHT_TOKEN";

/**
 * Reads the options. Throws a `UsageError` for invalid ones, and for a public address without a token. `alsoPort` is another
 * option that may hold the port.
 */
export function readHttpOptions(invocation: Invocation, defaultPort: number, alsoPort?: string): HttpFlags {
  const host = optionValue(invocation, "host") ?? "127.0.0.1";
  const chosen = chosenToken(invocation);
  if (!chosen && !isLoopback(host)) {
    throw new UsageError(
      `--host ${host} accepts connections from other machines, which requires a token of your choice. Set ${VARIABLE}, or use --token-file FILE.`,
    );
  }
  return {
    host,
    port: readPort(invocation, ["port", ...(alsoPort === undefined ? [] : [alsoPort])]) ?? defaultPort,
    allowHosts: allowedHosts(invocation),
    ...(chosen ?? { token: createToken() }),
  };
}

/** Tools must not see the token of the server. */
export function withoutToken(env: Environment): Environment {
  const { [VARIABLE]: _, ...rest } = env;
  return rest;
}

/** Warns if other machines can connect. */
export function warnIfPublic({ host }: HttpFlags, say: (text: string) => void): void {
  if (isLoopback(host)) return;
  say(
    "Other machines can connect to this server, and the connections are not encrypted. Put a proxy with TLS in front of it.",
  );
}

function allowedHosts({ values }: Invocation): string[] {
  const hosts = values["allow-host"];
  const names = Array.isArray(hosts) ? hosts.map(String) : [];
  const invalid = names.find((name) => !/^[\w.-]+$/.test(name) && !isIPv6(name));
  if (invalid === undefined) return names;
  throw new UsageError(
    `--allow-host takes a host name without scheme, port or path, such as tools.example.com, not "${invalid}".`,
  );
}

function readPort(invocation: Invocation, options: readonly string[]): number | undefined {
  const ports = options.flatMap((option) => {
    const text = optionValue(invocation, option);
    return text === undefined ? [] : [{ option, text, port: toPort(option, text) }];
  });
  const [first, other] = ports;
  if (first && other && first.port !== other.port) {
    const both = ports.map(({ option, text }) => `--${option} ${text}`).join(" and ");
    throw new UsageError(`${both} are two different ports. Use one of them.`);
  }
  return first?.port;
}

function toPort(option: string, text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new UsageError(`--${option} takes a number from 0 to 65535, not "${text}".`);
}

function chosenToken(invocation: Invocation): Pick<HttpFlags, "token" | "tokenFrom"> | undefined {
  const file = optionValue(invocation, "token-file");
  const variable = invocation.terminal.env[VARIABLE];
  if (file !== undefined)
    return checked(readToken(invocation, file), `--token-file ${file}`, `$(cat ${shellWord(file)})`);
  return variable === undefined ? undefined : checked(variable, VARIABLE, `$${VARIABLE}`);
}

function readToken({ globals }: Invocation, file: string): string {
  try {
    return readFileSync(resolve(globals.cwd, file), "utf8").trim();
  } catch (error) {
    throw new UsageError(`--token-file ${file}: it cannot be read: ${messageOf(error)}`);
  }
}

function checked(token: string, where: string, tokenFrom: string): Pick<HttpFlags, "token" | "tokenFrom"> {
  const fault = tokenFault(token);
  if (fault !== undefined) throw new UsageError(`${where}: ${fault}`);
  return { token, tokenFrom };
}
