import { runProcess } from "../../../platform/processes/run-process.ts";
import { compileTemplate, type TemplateValue } from "../../../platform/processes/shell-template.ts";
import type { TemplatePart } from "../../../platform/processes/shell-words.ts";

/** The result of a command, as in Bun's shell. */
export interface ShellOutput {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly exitCode: number;
  text(encoding?: BufferEncoding): string;
  json(): unknown;
  arrayBuffer(): ArrayBuffer;
  bytes(): Uint8Array;
  blob(): Blob;
}

/** A command that starts when it is awaited or read. Until then its settings can be changed. */
export interface ShellCommand extends Omit<Promise<ShellOutput>, typeof Symbol.toStringTag> {
  cwd(folder: string): ShellCommand;
  env(env: Record<string, string | undefined> | undefined): ShellCommand;
  quiet(): ShellCommand;
  nothrow(): ShellCommand;
  throws(shouldThrow: boolean): ShellCommand;
  text(encoding?: BufferEncoding): Promise<string>;
  json(): Promise<unknown>;
  lines(): AsyncIterable<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
  bytes(): Promise<Uint8Array>;
  blob(): Promise<Blob>;
}

export interface ShellSettings {
  readonly cwd: string;
  readonly env: Record<string, string | undefined> | undefined;
  readonly throws: boolean;
}

/** A template string with values, which are named by their position. */
export interface ShellTemplate {
  readonly parts: readonly TemplatePart[];
  readonly values: ReadonlyMap<string, TemplateValue>;
}

export function openCommand(template: ShellTemplate, settings: ShellSettings): ShellCommand {
  return new Command(template, settings);
}

class Command implements ShellCommand {
  readonly #template: ShellTemplate;
  #settings: ShellSettings;
  #running: Promise<ShellOutput> | undefined;

  constructor(template: ShellTemplate, settings: ShellSettings) {
    this.#template = template;
    this.#settings = settings;
  }

  cwd(folder: string): this {
    return this.#with({ cwd: folder });
  }

  env(env: ShellSettings["env"]): this {
    return this.#with({ env });
  }

  /** No effect: output is never echoed. */
  quiet(): this {
    return this;
  }

  nothrow(): this {
    return this.throws(false);
  }

  throws(shouldThrow: boolean): this {
    return this.#with({ throws: shouldThrow });
  }

  async text(encoding?: BufferEncoding): Promise<string> {
    return (await this).text(encoding);
  }

  async json(): Promise<unknown> {
    return (await this).json();
  }

  async *lines(): AsyncIterable<string> {
    const lines = (await this.text()).split("\n");
    if (lines.at(-1) === "") lines.pop();
    yield* lines;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this).arrayBuffer();
  }

  async bytes(): Promise<Uint8Array> {
    return (await this).bytes();
  }

  async blob(): Promise<Blob> {
    return (await this).blob();
  }

  // biome-ignore lint/suspicious/noThenProperty: it is awaited, as Bun's commands are, and starts only then.
  then: ShellCommand["then"] = (done, failed) => this.#run().then(done, failed);

  catch: ShellCommand["catch"] = (failed) => this.#run().catch(failed);

  finally: ShellCommand["finally"] = (done) => this.#run().finally(done);

  #with(changes: Partial<ShellSettings>): this {
    this.#settings = { ...this.#settings, ...changes };
    return this;
  }

  #run(): Promise<ShellOutput> {
    this.#running ??= run(this.#template, this.#settings);
    return this.#running;
  }
}

async function run({ parts, values }: ShellTemplate, { cwd, env, throws }: ShellSettings): Promise<ShellOutput> {
  const template = compileTemplate(parts);
  const { command, args } = template.bind((name) => values.get(name));
  // Plain commands also run in sh, which has builtins such as cd and echo, and reports missing commands.
  const [program, programArgs] =
    template.plain && process.platform !== "win32"
      ? ["/bin/sh", ["-c", '"$@"', "sh", command, ...args]]
      : [command, args];
  const options = { cwd, ...(env === undefined ? {} : { env: { ...process.env, ...env } }) };
  const { stdout, stderr, code } = await runProcess(program, programArgs, options);
  const output = outputOf(Buffer.from(stdout), Buffer.from(stderr), code ?? 1);
  if (output.exitCode !== 0 && throws) throw failed(output);
  return output;
}

function outputOf(stdout: Buffer, stderr: Buffer, exitCode: number): ShellOutput {
  const bytes = (): Uint8Array<ArrayBuffer> => new Uint8Array(stdout);
  return {
    stdout,
    stderr,
    exitCode,
    text: (encoding) => stdout.toString(encoding),
    json: () => JSON.parse(stdout.toString()) as unknown,
    arrayBuffer: () => bytes().buffer,
    bytes,
    blob: () => new Blob([bytes()]),
  };
}

function failed(output: ShellOutput): Error {
  return Object.assign(new Error(`Failed with exit code ${output.exitCode}`), output, { name: "ShellError" });
}
