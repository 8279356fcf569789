import { type FormEvent, type KeyboardEvent, type ReactElement, useEffect, useId, useRef, useState } from "react";
import type { ApiExplanation } from "../../../src/core/api-page.ts";
import { Button } from "../components/button.tsx";
import { Note } from "../components/error-state.tsx";
import { useRoute } from "../router.ts";
import { useClient, useResource } from "../server.ts";
import { Explanation } from "./explanation.tsx";
import { parseArguments } from "./parse-arguments.ts";

/** Asks the server which rule decides about a call. The tool does not run. */
export function ExplainForm(): ReactElement {
  const client = useClient();
  const { query } = useRoute();
  const catalog = useResource((signal) => client.catalog({ signal }), { events: ["tools"] });
  const [tool, setTool] = useState(query.get("tool") ?? "");
  const [input, setInput] = useState(query.get("input") ?? "{}");
  const [agent, setAgent] = useState("");
  const [outcome, setOutcome] = useState<{ readonly value?: ApiExplanation; readonly problem?: string }>({});
  const [busy, setBusy] = useState(false);
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const isNamed = query.has("tool");
  // A link may fill in the form, but not send it: the tool says what the call touches, so its code runs.
  useEffect(() => {
    if (isNamed) button.current?.focus();
  }, [isNamed]);

  const explain = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const parsed = parseArguments(input);
    if (parsed.kind === "invalid") return setOutcome({ problem: parsed.problem });
    setBusy(true);
    try {
      const request = {
        tool: tool.trim(),
        input: parsed.value,
        ...(agent.trim() === "" ? {} : { agent: agent.trim() }),
      };
      setOutcome({ value: await client.explain(request) });
    } catch (error) {
      setOutcome({ problem: error instanceof Error ? error.message : String(error) });
    } finally {
      setBusy(false);
    }
  };
  const send = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
  };
  return (
    <section className="section" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Which rule decides?</h2>
      <p className="muted">
        The tool validates the input and says what it would touch. It does not run, and no question is asked.
      </p>
      <form className="explain-form" onSubmit={explain} onKeyDown={send}>
        <div className="stack tight">
          <label htmlFor={`${id}-tool`}>Tool</label>
          <input
            id={`${id}-tool`}
            className="input code"
            list={`${id}-tools`}
            value={tool}
            required
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setTool(event.target.value)}
          />
          <datalist id={`${id}-tools`}>
            {catalog.value?.tools.map(({ name }) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </div>
        <div className="stack tight">
          <label htmlFor={`${id}-agent`}>Agent, if any</label>
          <input
            id={`${id}-agent`}
            className="input code"
            value={agent}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setAgent(event.target.value)}
          />
        </div>
        <div className="stack tight explain-input">
          <label htmlFor={`${id}-input`}>Input, as JSON</label>
          <textarea
            id={`${id}-input`}
            className="input code"
            rows={4}
            value={input}
            spellCheck={false}
            onChange={(event) => setInput(event.target.value)}
          />
        </div>
        <div className="row">
          <Button ref={button} kind="primary" type="submit" disabled={busy || tool.trim() === ""}>
            Explain
          </Button>
        </div>
      </form>
      <div aria-live="polite" className="stack">
        {outcome.problem !== undefined && (
          <Note tone="bad">
            <span className="explain-problem">{outcome.problem}</span>
          </Note>
        )}
        {outcome.value && <Explanation explanation={outcome.value} />}
      </div>
    </section>
  );
}
