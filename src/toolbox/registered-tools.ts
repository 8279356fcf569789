import type { CodeHosts } from "../catalog/code-hosts.ts";
import { refOf } from "../catalog/hosts/loaded-file.ts";
import type { RegistryEntry } from "../catalog/registry/registry-entry.ts";
import { AgentError } from "../core/agent-error.ts";
import type { CodingAgent, RegisteredTool } from "../core/coding-agent.ts";

/** The tools that programs have registered with agents. They run in this process, like tools as values. */
export class RegisteredTools {
  readonly #code: CodeHosts | undefined;
  readonly #entries = new WeakMap<RegisteredTool, Promise<RegistryEntry>>();

  constructor(code: CodeHosts | undefined) {
    this.#code = code;
  }

  /** Those of an agent, as they are now, by name. Rejects with an `AgentError` if one of them is not a tool. */
  async of({ name: agent, registeredTools = [] }: CodingAgent): Promise<ReadonlyMap<string, RegistryEntry>> {
    const entries = await Promise.all(registeredTools.map((tool) => this.#entryOf(tool, agent)));
    return new Map(entries.map((entry) => [entry.manifest.name, entry]));
  }

  #entryOf(tool: RegisteredTool, agent: string): Promise<RegistryEntry> {
    const known = this.#entries.get(tool);
    if (known) return known;
    const reading = this.#read(tool, agent);
    this.#entries.set(tool, reading);
    return reading;
  }

  async #read(tool: RegisteredTool, agent: string): Promise<RegistryEntry> {
    const [file] = (await this.#code?.loadValues([{ name: `${agent}/${tool.name}`, value: tool }])) ?? [];
    const [manifest] = file?.manifest.tools ?? [];
    if (file && manifest) return { manifest, ref: refOf(file), enabled: true };
    const why = file?.problems[0]?.message ?? "It is not a tool.";
    throw new AgentError(
      "unsupported",
      `The tool "${tool.name}", which was registered with ${agent}, cannot be used. ${why}`,
    );
  }
}
