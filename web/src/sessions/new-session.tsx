import { type FormEvent, type ReactElement, useEffect, useId, useRef, useState } from "react";
import type { ApiRunnableAgent } from "../../../src/core/api-page.ts";
import type { ApiMode, ApiNewSession } from "../../../src/core/api-sessions.ts";
import { MODE_NAMES } from "../../../src/core/permission-mode.ts";
import { Button } from "../components/button.tsx";
import { ErrorState, Note } from "../components/error-state.tsx";
import { Icon } from "../components/icon.tsx";
import { Keys } from "../components/keys.tsx";
import { Link, navigate, pathTo, useRoute } from "../router.ts";
import { useClient, useResource } from "../server.ts";
import { useShortcuts } from "../shortcuts.ts";
import { readStored, writeStored } from "../stored.ts";
import { AgentChoice } from "./agent-choice.tsx";
import { examplePrompt } from "./example-prompt.ts";
import { MODES } from "./modes.ts";

/** The form that starts a session. */
export function NewSession(): ReactElement {
  const client = useClient();
  const { value, error, refetch } = useResource((signal) => client.agents({ signal }));
  return (
    <section className="pane" aria-label="New session">
      <div className="pane-head">
        <Link className="button back-link" data-kind="quiet" to={pathTo("sessions")} aria-label="Back to the list">
          <Icon name="back" />
        </Link>
        <h1>New session</h1>
      </div>
      <div className="pane-body padded">
        {error && !value && <ErrorState title="The agents cannot be read" error={error} onRetry={refetch} />}
        {value && <NewSessionForm agents={value.runnable} />}
      </div>
    </section>
  );
}

interface Fields {
  readonly prompt: string;
  readonly agent: string;
  readonly model: string;
  readonly mode: ApiMode | "";
  readonly tools: string;
  readonly directory: string;
}

function NewSessionForm({ agents }: { readonly agents: readonly ApiRunnableAgent[] }): ReactElement {
  const client = useClient();
  const { sessions } = client;
  const catalog = useResource((signal) => client.catalog({ signal })).value;
  const permissions = useResource((signal) => client.permissions({ signal }), { events: ["permissions"] }).value;
  const [fields, setFields] = useState<Fields>(() => ({
    ...EMPTY,
    agent: firstAgent(agents),
    prompt: String(readStored(DRAFT) ?? ""),
  }));
  const [state, setState] = useState<{ readonly isSending: boolean; readonly error?: Error }>({ isSending: false });
  const id = useId();
  const set = (changed: Partial<Fields>): void => {
    setFields((old) => ({ ...old, ...changed }));
    if (changed.prompt !== undefined) writeStored(DRAFT, changed.prompt || undefined);
  };
  const canSend = !state.isSending && fields.prompt.trim() !== "" && fields.agent !== "";
  const start = async (event?: FormEvent): Promise<void> => {
    event?.preventDefault();
    if (!canSend) return;
    setState({ isSending: true });
    try {
      const { id } = await sessions.create(toRequest(fields));
      writeStored(DRAFT, undefined);
      navigate(pathTo("sessions", id));
    } catch (thrown) {
      setState({ isSending: false, error: thrown instanceof Error ? thrown : new Error(String(thrown)) });
    }
  };
  const promptField = useRef<HTMLTextAreaElement>(null);
  const write = (): void => promptField.current?.focus();
  useShortcuts({ "mod+Enter": () => void start(), i: write });
  const isRequested = useRoute().query.has("new");
  useEffect(() => {
    if (isRequested) promptField.current?.focus();
  }, [isRequested]);
  const tryDemo = (): void => {
    set({ agent: "demo", prompt: examplePrompt(catalog?.tools.map(({ name }) => name) ?? []) });
    write();
  };
  const mode = fields.mode || permissions?.mode || "default";
  return (
    <form className="column new-session" onSubmit={start}>
      <div className="section">
        <label htmlFor={`${id}prompt`}>What should the agent do?</label>
        <textarea
          id={`${id}prompt`}
          className="input prompt-field"
          rows={6}
          value={fields.prompt}
          onChange={(event) => set({ prompt: event.target.value })}
          ref={promptField}
        />
        {agents.some(({ name }) => name === "demo") && (
          <p className="muted small">
            New here?{" "}
            <button type="button" className="link-button" onClick={tryDemo}>
              Try it without a model
            </button>
            : the demo agent calls the tools that the message names, and needs no account.
          </p>
        )}
      </div>
      <AgentChoice agents={agents} chosen={fields.agent} onChoose={(agent) => set({ agent })} />
      <fieldset className="section">
        <legend>Permission mode</legend>
        <div className="segments">
          {MODE_NAMES.map((name) => (
            <button key={name} type="button" aria-pressed={name === mode} onClick={() => set({ mode: name })}>
              {MODES[name].label}
            </button>
          ))}
        </div>
        {mode === "bypass" ? (
          <Note tone="bad">
            <strong>Dangerous.</strong> {MODES.bypass.explanation}
          </Note>
        ) : (
          <p className="muted small">{MODES[mode].explanation}</p>
        )}
      </fieldset>
      <details className="section">
        <summary>More: model, tools, directory</summary>
        <div className="stack more-fields">
          <Field
            label="Model"
            hint="As the agent names it. Empty: the choice of the agent."
            value={fields.model}
            onChange={(model) => set({ model })}
          />
          <Field
            label="Only these tools"
            hint="Names with commas between them; * stands for any text. Empty: all tools."
            value={fields.tools}
            onChange={(tools) => set({ tools })}
          />
          <Field
            label="Directory"
            hint={`Inside ${catalog?.project.root ?? "the project"}. Empty: ${catalog?.project.directory ?? "the served directory"}`}
            value={fields.directory}
            onChange={(directory) => set({ directory })}
          />
        </div>
      </details>
      {state.error && (
        <div role="alert">
          <Note tone="bad">{state.error.message}</Note>
        </div>
      )}
      <div className="row">
        <Button type="submit" kind="primary" icon="play" disabled={!canSend}>
          {state.isSending ? "Starting…" : "Start"} <Keys of="mod+Enter" />
        </Button>
      </div>
    </form>
  );
}

const DRAFT = "draft of a new session";

const EMPTY: Fields = { prompt: "", agent: "", model: "", mode: "", tools: "", directory: "" };

function firstAgent(agents: readonly ApiRunnableAgent[]): string {
  const ready = agents.filter(({ status }) => status === "ready");
  return (ready.find(({ isDefault }) => isDefault) ?? ready[0])?.name ?? "";
}

function toRequest({ prompt, agent, model, mode, tools, directory }: Fields): ApiNewSession {
  const names = tools.split(/[\s,]+/).filter((name) => name !== "");
  return {
    prompt,
    agent,
    ...(model.trim() === "" ? {} : { model: model.trim() }),
    ...(mode === "" ? {} : { permissionMode: mode }),
    ...(names.length === 0 ? {} : { tools: names }),
    ...(directory.trim() === "" ? {} : { cwd: directory.trim() }),
  };
}

interface FieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Field({ label, hint, value, onChange }: FieldProps): ReactElement {
  const id = useId();
  return (
    <div className="stack tight">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input"
        aria-describedby={`${id}hint`}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <span id={`${id}hint`} className="muted small break">
        {hint}
      </span>
    </div>
  );
}
