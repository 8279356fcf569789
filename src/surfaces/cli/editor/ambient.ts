/**
 * Ambient declarations for modules without installed types: they are untyped, but not an error. The modules and globals of a
 * runtime are left to its real types if these are installed.
 */
export function ambientText(runtimes: readonly string[]): string {
  const bun = runtimes.includes("bun");
  // The types of Bun include those of Node.
  const node = bun || runtimes.includes("node");
  return [PACKAGES, ...(node ? [] : [NODE]), ...(bun ? [] : [BUN])].join("");
}

const PACKAGES = `declare module "*.txt" {
  const text: string;
  export default text;
}
declare module "*.md" {
  const text: string;
  export default text;
}
declare module "zod/*";
declare module "typebox/*";
declare module "@sinclair/typebox/*";
`;

/** Node's modules without the prefix `node:`. A fixed list: the output of `init` must not depend on the version of Node. */
const BARE =
  "assert buffer child_process crypto dns events fs fs/promises http https module net os path perf_hooks process querystring readline readline/promises stream stream/promises string_decoder timers timers/promises tls tty url util v8 vm worker_threads zlib";

const NODE = `declare module "node:*";
${BARE.split(" ")
  .map((name) => `declare module "${name}";`)
  .join("\n")}
declare const process: any;
declare const Buffer: any;
type Buffer = any;
declare const global: any;
declare const require: any;
declare const module: any;
declare const exports: any;
declare const __dirname: string;
declare const __filename: string;
declare namespace NodeJS {
  type ErrnoException = any;
  type Platform = any;
  type ProcessEnv = any;
  type ReadableStream = any;
  type Signals = any;
  type Timeout = any;
  type Timer = any;
  type WritableStream = any;
}
interface ImportMeta {
  readonly dirname: string;
  readonly filename: string;
}
`;

const BUN = `declare module "bun";
declare module "bun:*";
declare const Bun: any;
interface ImportMeta {
  readonly dir: string;
  readonly file: string;
  readonly main: boolean;
  readonly path: string;
}
`;
