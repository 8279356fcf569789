import { readFileSync } from "node:fs";
import { isIPv6 } from "node:net";
import { resolve } from "node:path";
import type { Environment } from "../../config/options.ts";
import { messageOf } from "../../core/error.ts";
import { createToken, tokenFault } from "../http/access-token.ts";
import { isLoopback } from "../http/guards/host-names.ts";
import { type Invocation, type OptionSpecs, optionValue } from "./command.ts";
import { shellWord } from "./shell-word.ts";
import { UsageError } from "./usage-error.ts";

/** The options of commands that serve over HTTP. */
export const HTTP_OPTIONS: OptionSpecs = {
  port: { type: "string", value: "N", help: "the port to listen on; 0 takes any that is free" },
  host: { type: "string", value: "ADDRESS", help: "the address to listen on; 127.0.0.1 unless given" },
  "allow-host": { type: "string", multiple: true, value: "NAME", help: "a name that it is reached by (repeatable)" },
  "token-file": { type: "string", value: "FILE", help: "take the token from a file; $TOOLWRIGHT_TOKEN works too" },
};

/** Where to listen, and the token that is asked for. */
export interface HttpPlace {
  readonly host: string;
  readonly port: number;
  readonly allowHosts: readonly string[];
  readonly token: string;
  /** How a shell gets the token where the user chose it; absent where it was made here and has to be shown. */
  readonly tokenFrom?: string;
}

const VARIABLE = "TOOLWRIGHT_TOKEN";

/**
 * Reads them; throws a `UsageError` for what makes no sense, or would let in whoever comes along. The port may stand
 * behind another option as well, whose name is given.
 */
export function readHttpOptions(invocation: Invocation, defaultPort: number, alsoPort?: string): HttpPlace {
  const host = optionValue(invocation, "host") ?? "127.0.0.1";
  const chosen = chosenToken(invocation);
  if (!chosen && !isLoopback(host)) {
    throw new UsageError(
      `--host ${host} lets other machines in, so choose the token yourself: set ${VARIABLE}, or give --token-file FILE.`,
    );
  }
  return {
    host,
    port: readPort(invocation, ["port", ...(alsoPort === undefined ? [] : [alsoPort])]) ?? defaultPort,
    allowHosts: allowedHosts(invocation),
    ...(chosen ?? { token: createToken() }),
  };
}

/** The token is for clients of the server, not for the tools that it runs. */
export function withoutToken(env: Environment): Environment {
  const { [VARIABLE]: _, ...rest } = env;
  return rest;
}

/** Says what it means that other machines are let in, where they are. */
export function warnOfOthers({ host }: HttpPlace, say: (text: string) => void): void {
  if (isLoopback(host)) return;
  say(
    "Other machines can reach this server, and what they send is not encrypted. Put a proxy with TLS in front of it.",
  );
}

function allowedHosts({ values }: Invocation): string[] {
  const given = values["allow-host"];
  const names = Array.isArray(given) ? given.map(String) : [];
  const odd = names.find((name) => !/^[\w.-]+$/.test(name) && !isIPv6(name));
  if (odd === undefined) return names;
  throw new UsageError(
    `--allow-host takes a name without scheme, port and path, such as tools.example.com, not "${odd}".`,
  );
}

function readPort(invocation: Invocation, options: readonly string[]): number | undefined {
  const given = options.flatMap((option) => {
    const text = optionValue(invocation, option);
    return text === undefined ? [] : [{ option, text, port: toPort(option, text) }];
  });
  const [first, other] = given;
  if (first && other && first.port !== other.port) {
    const words = given.map(({ option, text }) => `--${option} ${text}`).join(" and ");
    throw new UsageError(`${words} name two ports: give one.`);
  }
  return first?.port;
}

function toPort(option: string, text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new UsageError(`--${option} takes a number from 0 to 65535, not "${text}".`);
}

function chosenToken(invocation: Invocation): Pick<HttpPlace, "token" | "tokenFrom"> | undefined {
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

function checked(token: string, where: string, tokenFrom: string): Pick<HttpPlace, "token" | "tokenFrom"> {
  const fault = tokenFault(token);
  if (fault !== undefined) throw new UsageError(`${where}: ${fault}`);
  return { token, tokenFrom };
}
