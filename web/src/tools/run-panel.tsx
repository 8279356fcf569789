import { type ComponentType, type ReactElement, useMemo, useState, useSyncExternalStore } from "react";
import type { ApiCatalog, ApiCatalogTool } from "../../../src/surfaces/http/client/index.ts";
import { Button } from "../components/button.tsx";
import { ErrorBoundary } from "../components/error-boundary.tsx";
import { Note } from "../components/error-state.tsx";
import { Keys } from "../components/keys.tsx";
import { LazyPart } from "../components/lazy-part.tsx";
import { Segments } from "../components/segments.tsx";
import type { Input } from "../runs.ts";
import { useServer } from "../server.ts";
import { useShortcuts } from "../shortcuts.ts";
import { useStoredChoice } from "../stored.ts";
import { CopyAsMenu } from "./copy-as-menu.tsx";
import { HistoryMenu } from "./history-menu.tsx";
import type { InputFormProps } from "./input-form.tsx";
import { rememberInput } from "./input-history.ts";
import { issuesOf } from "./issues.ts";
import { parseInput } from "./parse-input.ts";
import { planForm } from "./plan-form.ts";
import { RawInput } from "./raw-input.tsx";
import { RunOutcome } from "./run-outcome.tsx";

const loadForm = async (): Promise<ComponentType<InputFormProps>> => (await import("./input-form.tsx")).InputForm;

interface RunPanelProps {
  readonly tool: ApiCatalogTool;
  readonly catalog: Pick<ApiCatalog, "command" | "commandOptions">;
}

/** The input of a call, as a form or as JSON, and what came of it. */
export function RunPanel({ tool, catalog }: RunPanelProps): ReactElement {
  const { runs } = useServer();
  const run = useSyncExternalStore(runs.subscribe, () => runs.get(tool.name));
  const plan = useMemo(() => planForm(tool.inputSchema), [tool.inputSchema]);
  const [mode, setMode] = useStoredChoice("input-mode", ["form", "json"]);
  const [input, setInput] = useState<Input>(() => run?.input ?? {});
  /** What the person types as JSON. It may not be valid. */
  const [text, setText] = useState(() => textOf(run?.input ?? {}));
  const [formKey, setFormKey] = useState(0);
  const [invalid, setInvalid] = useState<ReadonlySet<string>>(new Set());
  const shownAs = plan.kind === "json" ? "json" : mode;
  const parsed = useMemo(() => parseInput(text), [text]);
  const running = run?.kind === "running";
  const fromForm = invalid.size === 0 ? input : undefined;
  const current = shownAs === "json" ? (parsed.ok ? parsed.input : undefined) : fromForm;

  const replace = (next: Input): void => {
    setInput(next);
    setText(textOf(next));
    setFormKey((key) => key + 1);
  };
  const change = (next: "form" | "json"): void => {
    if (next === "json") setText(textOf(input));
    else if (!parsed.ok) return;
    else replace(parsed.input);
    setMode(next);
  };
  const start = (): void => {
    if (running || current === undefined || !tool.enabled) return;
    rememberInput(tool.name, current);
    runs.start(tool.name, current);
  };
  const abort = (): void => runs.abort(tool.name);
  useShortcuts({
    "mod+Enter": start,
    ...(running && { Escape: abort }),
  });

  const issues = run?.kind === "ended" && run.input === current ? issuesOf(run.result) : [];
  return (
    <div className="run-columns">
      <section className="section run-input" aria-label="Input">
        <header className="row wrap">
          <h2>Input</h2>
          <span className="grow" />
          <HistoryMenu tool={tool.name} onSelect={replace} />
          <CopyAsMenu tool={tool.name} input={current} catalog={catalog} />
          {plan.kind === "form" && (
            <Segments
              label="Write the input as"
              value={shownAs}
              choices={[
                ["form", "Form"],
                ["json", "JSON"],
              ]}
              onChange={change}
            />
          )}
        </header>
        {plan.kind === "json" && <Note>{plan.reason}</Note>}
        {shownAs === "json" ? (
          <RawInput text={text} onChange={setText} parsed={parsed} />
        ) : (
          plan.kind === "form" && (
            <ErrorBoundary
              resetKey={formKey}
              fallback={(error) => (
                <Note tone="warn">
                  The form failed for this schema ({error instanceof Error ? error.message : String(error)}). Write the
                  input as JSON.
                </Note>
              )}
            >
              <LazyPart
                key={formKey}
                load={loadForm}
                props={{ schema: plan.schema, input, issues, onChange: setInput, onInvalid: setInvalid }}
                fallback={<div className="form-loading" />}
              />
            </ErrorBoundary>
          )
        )}
        <div className="row wrap run-actions">
          {running ? (
            <Button className="button run-button" kind="danger" icon="stop" onClick={abort}>
              Abort <Keys of="Escape" />
            </Button>
          ) : (
            <Button
              className="button run-button"
              kind="primary"
              icon="play"
              disabled={current === undefined || !tool.enabled}
              onClick={start}
            >
              Run <Keys of="mod+Enter" />
            </Button>
          )}
          {Object.keys(current ?? {}).length > 0 && !running && (
            <Button kind="quiet" onClick={() => replace({})}>
              Clear
            </Button>
          )}
        </div>
      </section>
      <RunOutcome tool={tool.name} run={run} />
    </div>
  );
}

function textOf(input: Input): string {
  return JSON.stringify(input, null, 2);
}
