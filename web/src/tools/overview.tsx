import type { ReactElement } from "react";
import { shellWord } from "../../../src/platform/text/shell-word.ts";
import type { ApiCatalog } from "../../../src/surfaces/http/client/index.ts";
import { Badge } from "../components/badge.tsx";
import { Command } from "../components/copy-button.tsx";
import { Note } from "../components/error-state.tsx";
import { Icon } from "../components/icon.tsx";
import { Keys } from "../components/keys.tsx";
import { QuestionCard } from "../components/question-card.tsx";
import { VisibleText } from "../components/visible-text.tsx";
import { counted } from "../format.ts";
import { isWithoutSession, useQuestions } from "../questions.ts";
import { Link, pathTo } from "../router.ts";
import { useServer } from "../server.ts";
import { shellPlatform } from "./copy-as.ts";
import { FileLink } from "./file-link.tsx";

interface OverviewProps {
  readonly catalog: ApiCatalog;
  /** The tool in the address, if there is none of this name. */
  readonly missing: string | undefined;
}

/** Shown while no tool is selected: the project, and everything that keeps tools from being served. */
export function Overview({ catalog, missing }: OverviewProps): ReactElement {
  const { project, tools, command } = catalog;
  const inProject = `--cwd ${shellWord(project.directory, shellPlatform())}`;
  return (
    <>
      <header className="pane-head">
        <Link className="back-link button" data-kind="quiet" to={pathTo("tools")} aria-label="Back to the list">
          <Icon name="back" />
        </Link>
        <h1>Tools</h1>
        <Badge>{counted(tools.filter(({ enabled }) => enabled).length, "tool")}</Badge>
      </header>
      <div className="pane-body padded">
        <div className="column">
          {missing !== undefined && (
            <Note tone="warn">
              There is no tool named “<VisibleText>{missing}</VisibleText>” any longer. Its file may have been renamed,
              removed, or may have a problem.
            </Note>
          )}
          <p>
            Select a tool to see what it does, and to run it. In <Link to={pathTo("sessions")}>Sessions</Link>, an agent
            calls the tools.
          </p>
          <dl className="facts project-facts">
            <dt>Project</dt>
            <dd>
              <span className="mono">{project.directory}</span>{" "}
              {!project.trusted && <Badge tone="warn">not trusted</Badge>}
            </dd>
            <dt>Add a tool</dt>
            <dd>
              <Command>{`${command} new my-tool ${inProject}`}</Command>
            </dd>
            <dt>Give them to an agent</dt>
            <dd>
              <Command>{`${command} install claude-code`}</Command>
            </dd>
          </dl>
          <WaitingQuestions />
          <Problems catalog={catalog} />
          <Blocked catalog={catalog} />
          <Shadowed catalog={catalog} />
          <Warnings catalog={catalog} />
          <p className="muted small row wrap only-wide">
            <Keys of="j" /> <Keys of="k" /> select a tool <Keys of="Enter" /> fill in its input <Keys of="mod+Enter" />{" "}
            run it <Keys of="?" /> all shortcuts
          </p>
        </div>
      </div>
    </>
  );
}

/** Questions about calls that other clients make, such as a program or an agent over MCP. */
function WaitingQuestions(): ReactElement | null {
  const { runs } = useServer();
  const questions = useQuestions().filter(isWithoutSession);
  if (questions.length === 0) return null;
  return (
    <section className="section" aria-label="Questions">
      <header>
        <h2>Questions about running calls</h2>
        <Badge tone="warn">{questions.length}</Badge>
      </header>
      {questions.map((question) => (
        <QuestionCard
          key={question.questionID}
          question={question}
          onAnswer={(answer) => runs.answer(question.questionID, answer)}
        />
      ))}
    </section>
  );
}

function Problems({ catalog: { problems, project } }: { readonly catalog: ApiCatalog }): ReactElement | null {
  if (problems.length === 0) return null;
  return (
    <section className="section">
      <header>
        <h2>Problems</h2>
        <Badge tone="bad">{problems.length}</Badge>
      </header>
      {problems.map((problem) => (
        <article key={`${problem.file} ${problem.line} ${problem.tool} ${problem.message}`} className="card problem">
          <div className="row wrap">
            <FileLink file={problem.file} line={problem.line} directory={project.directory} />
            {problem.tool !== undefined && (
              <Badge>
                <VisibleText>{problem.tool}</VisibleText>
              </Badge>
            )}
          </div>
          <p className="break pre-line">{problem.message}</p>
          {problem.frame !== undefined && <pre className="output">{problem.frame}</pre>}
        </article>
      ))}
    </section>
  );
}

function Blocked({ catalog: { blocked, project } }: { readonly catalog: ApiCatalog }): ReactElement | null {
  if (blocked.length === 0) return null;
  return (
    <section className="section">
      <header>
        <h2>Blocked: not trusted yet</h2>
      </header>
      {blocked.map(({ directory, files, fix }) => (
        <article key={directory} className="card problem">
          <p>
            Tool files in <code>{directory}</code> do not run, because you have not trusted them. Read the files below,
            then run:
          </p>
          <Command>{fix}</Command>
          <ul className="stack tight">
            {files.map((file) => (
              <li key={file}>
                <FileLink file={file} directory={project.directory} />
              </li>
            ))}
          </ul>
        </article>
      ))}
    </section>
  );
}

function Shadowed({ catalog: { shadowed, project } }: { readonly catalog: ApiCatalog }): ReactElement | null {
  if (shadowed.length === 0) return null;
  return (
    <section className="section">
      <header>
        <h2>Shadowed: another tool has the name</h2>
      </header>
      <ul className="card problem stack">
        {shadowed.map(({ name, file, by, builtin }) => (
          <li key={`${name} ${file}`} className="break">
            <strong className="mono">
              <VisibleText>{name}</VisibleText>
            </strong>{" "}
            {builtin ? "The built-in tool" : <FileLink file={file} directory={project.directory} />} is replaced by{" "}
            <FileLink file={by} directory={project.directory} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Warnings({ catalog: { warnings, project } }: { readonly catalog: ApiCatalog }): ReactElement | null {
  if (warnings.length === 0) return null;
  return (
    <section className="section">
      <header>
        <h2>Warnings about settings</h2>
      </header>
      {warnings.map(({ file, line, message }) => (
        <Note key={`${file} ${line} ${message}`} tone="warn">
          <FileLink file={file} line={line} directory={project.directory} />
          <p className="pre-line">{message}</p>
        </Note>
      ))}
    </section>
  );
}
