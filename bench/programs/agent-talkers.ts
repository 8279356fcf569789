/** How the cases of agents talk to an agent: through Toolwright, or through its SDK. */
export interface Talkers {
  /** Opens a session. */
  open(): Promise<Talker>;
  close(): Promise<void>;
}

export interface Talker {
  /** Runs one turn. Resolves to the last text of the model. */
  send(prompt: string): Promise<string>;
}

export interface TalkersOptions {
  /** The name of the agent. */
  readonly agent: string;
  /** The folder of the project, which has the tool file. */
  readonly folder: string;
  /** The folder whose `node_modules` has the SDK. */
  readonly modules: string;
  /** The address of the scripted model. */
  readonly origin: string;
  /** The files of the built package: the library, and its agents. */
  readonly library: string;
  readonly agents: string;
}

/** The description of the tool, the same in the tool file and in the tools of the SDKs. */
export const TOOL = { name: "shout", description: "Repeats a line in capital letters." } as const;

export function shout(text: string): string {
  return text.toUpperCase();
}

export function urlOf(agent: string, origin: string): string {
  return agent === "claude" ? origin : `${origin}/v1`;
}

export const MODEL: Readonly<Record<string, string>> = {
  claude: "claude-sonnet-4-5",
  copilot: "scripted",
  langchain: "scripted",
};
