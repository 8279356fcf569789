import type { CodeSources } from "../catalog/discovery/code-sources.ts";
import type { Blocked } from "../catalog/discovery/tool-file.ts";
import type { Registry } from "../catalog/registry/registry.ts";
import type { RegistryEntry } from "../catalog/registry/registry-entry.ts";
import type { Hosts } from "../host/protocol/hosts.ts";
import type { ContextData } from "../host/protocol/messages.ts";
import type { Rule } from "../settings/permissions/rule.ts";
import type { SettingsWarning } from "../settings/read-settings.ts";
import type { Settings } from "../settings/settings.ts";
import type { CallRequest, CallScope } from "./call.ts";
import type { Questions } from "./permission-question.ts";
import type { Recorder } from "./recorder.ts";

/** The parts from which a pipeline is built. */
export interface PipelineParts {
  readonly catalog: Catalog;
  readonly status: LoadingStatus;
  readonly hosts: Hosts;
  readonly paths: Paths;
  readonly recorder: Pick<Recorder, "record">;
  /** Asks people about calls. */
  readonly questions: Questions;
  readonly sessionOf: (sessionID: string) => KnownSession;
  readonly scope: (context: ContextData, request: CallRequest) => CallScope;
}

/** What is known of a session before a call in it begins. */
interface KnownSession {
  /** The agent that runs it; undefined if none has. */
  readonly agent: string | undefined;
  /** The identities of the tools when it began; undefined if they were not pinned. */
  readonly pinned: ReadonlyMap<string, string> | undefined;
}

/** The paths that permissions and limits refer to. All are absolute. */
export interface Paths {
  /** The directory of calls that name none. */
  readonly directory: string;
  readonly root: string;
  readonly home: string;
  /** The folder that holds the `outputs` of all sessions. */
  readonly toolwrightHome: string;
  /** The user's settings file, to which an answer "always" adds rules. */
  readonly settingsFile: string;
}

/** The tools that are currently served, and the settings in force. */
export interface Catalog {
  readonly registry: Registry;
  readonly settings: Settings;
  readonly isClosed: boolean;
  /** A built-in tool, also if it is not served or another tool has its name. */
  builtin(name: string): RegistryEntry | undefined;
  /** Resolves when the tool is served or no unread file can define it; undefined if that is already so. */
  ready(name: string): Promise<void> | undefined;
  /** Resolves when the hooks of every file apply, or a file has taken too long; undefined if that is so now. */
  guardsRead(): Promise<void> | undefined;
  /** Why no call may run: a file that may have hooks could not be read. */
  refusalOfGuards(): string | undefined;
  /** The code that runs without a further question. */
  codeSources(): CodeSources;
  /** Applies rules that have been written to the user's settings, without a reload. */
  addRules(rules: readonly Rule[]): void;
  warn(warning: SettingsWarning): void;
}

/** The files whose tools are not served yet. */
export interface LoadingStatus {
  /** Files that are still being read. */
  readonly loading: readonly string[];
  /** Files that wait for the project to be trusted. */
  readonly blocked: readonly Blocked[];
}
