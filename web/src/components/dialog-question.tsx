import { type FormEvent, type ReactElement, useId, useState } from "react";
import type { LoggedQuestion, QuestionAnswer } from "../../../src/core/question.ts";
import { Button } from "./button.tsx";
import { Keys } from "./keys.tsx";
import { VisibleText } from "./visible-text.tsx";

interface DialogQuestionProps {
  readonly question: Extract<LoggedQuestion, { readonly kind: "dialog" }>;
  readonly onAnswer: (answer: QuestionAnswer) => void;
}

/** A dialog of a tool file: a choice, yes or no, a line or a text. */
export function DialogQuestion(props: DialogQuestionProps): ReactElement {
  switch (props.question.method) {
    case "select":
      return <Select {...props} />;
    case "confirm":
      return <Confirm {...props} />;
    default:
      return <TextDialog {...props} />;
  }
}

function Select({ question, onAnswer }: DialogQuestionProps): ReactElement {
  return (
    <>
      <fieldset className="option-list" aria-label="Options">
        {(question.options ?? []).map((option) => (
          <button
            key={option}
            type="button"
            className="option"
            onClick={() => onAnswer({ allowed: true, value: option })}
          >
            <VisibleText>{option}</VisibleText>
          </button>
        ))}
      </fieldset>
      <div className="row">
        <CloseButton onAnswer={onAnswer} />
      </div>
    </>
  );
}

function Confirm({ question, onAnswer }: DialogQuestionProps): ReactElement {
  return (
    <>
      {question.message !== undefined && (
        <p className="break dialog-message">
          <VisibleText>{question.message}</VisibleText>
        </p>
      )}
      <div className="row wrap">
        <Button kind="primary" onClick={() => onAnswer({ allowed: true, value: true })}>
          Yes
        </Button>
        <Button onClick={() => onAnswer({ allowed: true, value: false })}>No</Button>
        <CloseButton onAnswer={onAnswer} />
      </div>
    </>
  );
}

function TextDialog({ question, onAnswer }: DialogQuestionProps): ReactElement {
  const [value, setValue] = useState(question.prefill ?? "");
  const id = useId();
  const send = (event?: FormEvent): void => {
    event?.preventDefault();
    onAnswer({ allowed: true, value });
  };
  const shared = {
    id,
    className: "input",
    placeholder: question.placeholder,
    value,
    "aria-label": question.reason,
  };
  return (
    <form className="stack" onSubmit={send}>
      {question.method === "editor" ? (
        <textarea
          {...shared}
          rows={8}
          onChange={(event) => setValue(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            send();
          }}
        />
      ) : (
        <input {...shared} onChange={(event) => setValue(event.target.value)} />
      )}
      <div className="row wrap">
        <Button type="submit" kind="primary">
          Answer <Keys of={question.method === "editor" ? "mod+Enter" : "Enter"} />
        </Button>
        <CloseButton onAnswer={onAnswer} />
      </div>
    </form>
  );
}

function CloseButton({ onAnswer }: Pick<DialogQuestionProps, "onAnswer">): ReactElement {
  return (
    <Button kind="quiet" onClick={() => onAnswer({ allowed: false })}>
      Close without an answer
    </Button>
  );
}
