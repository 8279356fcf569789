import { type ReactElement, useState } from "react";
import type { ApiCatalog, ApiCatalogTool } from "../../../src/surfaces/http/client/index.ts";
import { Badge, type Tone } from "../components/badge.tsx";
import { CopyButton } from "../components/copy-button.tsx";
import { ErrorBoundary } from "../components/error-boundary.tsx";
import { Note } from "../components/error-state.tsx";
import { Icon } from "../components/icon.tsx";
import { JsonTree } from "../components/json-tree.tsx";
import { VisibleText } from "../components/visible-text.tsx";
import { Link, pathTo } from "../router.ts";
import { FileLink } from "./file-link.tsx";
import { RunPanel } from "./run-panel.tsx";
import { signatureOf } from "./signature.ts";
import { groupOf } from "./tool-rows.ts";

interface ToolDetailProps {
  readonly tool: ApiCatalogTool;
  readonly catalog: ApiCatalog;
}

/** One tool: what it is, and a way to call it. */
export function ToolDetail({ tool, catalog }: ToolDetailProps): ReactElement {
  return (
    <>
      <header className="pane-head">
        <Link className="back-link button" data-kind="quiet" to={pathTo("tools")} aria-label="Back to the list">
          <Icon name="back" />
        </Link>
        <h1 className="mono truncate">
          <VisibleText>{tool.name}</VisibleText>
        </h1>
        <CopyButton text={tool.name} label="name" />
        <span className="grow" />
        <span className="row tool-badges">
          {hintsOf(tool).map(([text, tone, title]) => (
            <Badge key={text} tone={tone} title={title}>
              {text}
            </Badge>
          ))}
        </span>
      </header>
      <div className="pane-body padded">
        <div className="column tool-column">
          <About tool={tool} catalog={catalog} />
          <ErrorBoundary resetKey={tool}>
            <RunPanel tool={tool} catalog={catalog} />
          </ErrorBoundary>
          <Schemas tool={tool} />
        </div>
      </div>
    </>
  );
}

function About({ tool, catalog }: ToolDetailProps): ReactElement {
  const { project, shadowed, problems } = catalog;
  const replaced = shadowed.filter(({ name, by }) => name === tool.name && by === tool.file);
  const own = problems.filter((problem) => problem.file === tool.file && tool.file !== "");
  return (
    <section className="stack" aria-label="About this tool">
      {tool.hints.title !== undefined && (
        <p className="tool-title">
          <VisibleText>{tool.hints.title}</VisibleText>
        </p>
      )}
      <Description key={tool.name} text={tool.description} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long signature can be scrolled by keyboard. */}
      <pre className="signature" tabIndex={0}>
        <code>
          <span className="signature-name">{tool.name}</span>({signatureOf(tool.inputSchema)})
        </code>
      </pre>
      <dl className="facts small">
        <dt>Source</dt>
        <dd>
          <VisibleText>{groupOf(tool)}</VisibleText>
          {tool.pluginVersion !== undefined && <span className="faint"> {tool.pluginVersion}</span>}
        </dd>
        {tool.file !== "" && (
          <>
            <dt>File</dt>
            <dd>
              <FileLink file={tool.file} line={tool.line} directory={project.directory} choosable />
            </dd>
          </>
        )}
      </dl>
      {!tool.enabled && (
        <Note tone="warn">
          This tool is turned off in the settings, so it cannot be called. Remove it from <code>tools.disabled</code> to
          turn it on.
        </Note>
      )}
      {own.map((problem) => (
        <Note key={`${problem.line} ${problem.message}`} tone="bad">
          <p className="pre-line">{problem.message}</p>
          <p className="muted">The last version that worked is shown and served.</p>
        </Note>
      ))}
      {replaced.map(({ file, builtin }) => (
        <Note key={file}>
          It replaces{" "}
          {builtin ? "the built-in tool of the same name" : <FileLink file={file} directory={project.directory} />}.
        </Note>
      ))}
    </section>
  );
}

/** A description whose end would push the input off a narrow screen. */
const LONG = 600;

/** The rest of a long description is shown on request. */
function Description({ text }: { readonly text: string }): ReactElement {
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && text.length > LONG;
  return (
    <p className="tool-description pre-line break">
      {text === "" && <em>No description.</em>}
      <VisibleText>{isCut ? `${text.slice(0, LONG).trimEnd()}… ` : text}</VisibleText>
      {isCut && (
        <button type="button" className="link-button" onClick={() => setWhole(true)}>
          Show all
        </button>
      )}
    </p>
  );
}

function Schemas({ tool }: { readonly tool: ApiCatalogTool }): ReactElement {
  return (
    <>
      <details className="section schema">
        <summary>Input schema</summary>
        <JsonTree value={tool.inputSchema} label="Input schema" />
        <CopyButton text={() => JSON.stringify(tool.inputSchema, null, 2)} label="schema">
          Copy JSON
        </CopyButton>
      </details>
      {tool.outputSchema && (
        <details className="section schema">
          <summary>Output schema</summary>
          <JsonTree value={tool.outputSchema} label="Output schema" />
        </details>
      )}
    </>
  );
}

function hintsOf({ hints, overridesBuiltin, enabled }: ApiCatalogTool): readonly (readonly [string, Tone, string])[] {
  const all: readonly (readonly [unknown, string, Tone, string])[] = [
    [!enabled, "off", "warn", "Turned off in the settings"],
    [hints.destructive === true, "destructive", "warn", "May delete or overwrite things"],
    [hints.readOnly === true, "read-only", "ok", "Changes nothing"],
    [hints.idempotent === true, "idempotent", "neutral", "A second call with the same input has no further effect"],
    [hints.openWorld === true, "open world", "neutral", "Uses things outside this machine"],
    [overridesBuiltin === true, "replaces built-in", "accent", "A built-in tool has the same name"],
  ];
  return all.flatMap(([applies, text, tone, title]) => (applies ? [[text, tone, title] as const] : []));
}
