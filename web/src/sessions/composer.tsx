import { type ReactElement, type RefObject, useState } from "react";
import { RequestRefused } from "../../../src/surfaces/http/client/index.ts";
import { Button } from "../components/button.tsx";
import { Note } from "../components/error-state.tsx";
import { Keys } from "../components/keys.tsx";
import { LongText } from "../components/long-text.tsx";
import { readStored, writeStored } from "../stored.ts";
import { usePendingMessage } from "./use-pending-message.ts";

interface ComposerProps {
  readonly sessionID: string;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  /** Whether a turn runs or waits. */
  readonly isRunning: boolean;
  /** Whether the last turn ended well, so that a message that waits may be sent. */
  readonly isReady: boolean;
  /** Resolves when the message is stored. */
  readonly onSend: (text: string) => Promise<unknown>;
  readonly onCancel: () => void;
}

/** The field for the next message. A message that is sent while a turn runs waits for its end. */
export function Composer(props: ComposerProps): ReactElement {
  const { sessionID, field, isRunning, isReady, onSend, onCancel } = props;
  const draftKey = `draft:${sessionID}`;
  const [text, setText] = useState(() => String(readStored(draftKey) ?? ""));
  const [state, setState] = useState<{ readonly isSending: boolean; readonly error?: string }>({ isSending: false });
  const change = (next: string): void => {
    setText(next);
    writeStored(draftKey, next === "" ? undefined : next);
  };
  const send = async (message: string): Promise<void> => {
    setState({ isSending: true });
    try {
      await onSend(message);
      setState({ isSending: false });
    } catch (error) {
      // Another page was faster: a turn runs, and the message waits for its end.
      const isBusy = error instanceof RequestRefused && error.code === "conflict";
      if (isBusy) pending.set(message);
      // Above what was written meanwhile.
      else change([message, readStored(draftKey)].filter(Boolean).join("\n\n"));
      setState(isBusy ? { isSending: false } : { isSending: false, error: messageOf(error) });
    }
  };
  const pending = usePendingMessage(sessionID, { isDue: isReady && !state.isSending, send });
  const submit = (): void => {
    const message = text.trim();
    if (message === "" || state.isSending) return;
    change("");
    if (isRunning || pending.text !== undefined) pending.set([pending.text, message].filter(Boolean).join("\n\n"));
    else void send(message);
  };
  return (
    <div className="composer">
      {state.error !== undefined && (
        <div role="alert">
          <Note tone="bad">{state.error}</Note>
        </div>
      )}
      {pending.text !== undefined && (
        <PendingMessage
          text={pending.text}
          isRunning={isRunning}
          onEdit={() => {
            change([pending.text, text].filter(Boolean).join("\n\n"));
            pending.set(undefined);
            field.current?.focus();
          }}
          onDrop={() => pending.set(undefined)}
          onSend={() => {
            const message = pending.text;
            pending.set(undefined);
            if (message !== undefined) void send(message);
          }}
        />
      )}
      <form
        className="composer-row"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <textarea
          ref={field}
          className="input composer-field"
          rows={Math.min(10, Math.max(2, text.split("\n").length))}
          aria-label="Message to the agent"
          placeholder={isRunning ? "Write the next message: it is sent when the turn ends" : "Message to the agent"}
          value={text}
          onChange={(event) => change(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
            event.preventDefault();
            submit();
          }}
        />
        <div className="composer-buttons">
          <Button type="submit" kind="primary" icon="send" disabled={text.trim() === "" || state.isSending}>
            {isRunning ? "Queue" : "Send"} <Keys of="mod+Enter" />
          </Button>
          {isRunning && (
            <Button icon="stop" kind="danger" onClick={onCancel}>
              Cancel <Keys of="Escape" />
            </Button>
          )}
        </div>
      </form>
    </div>
  );
}

interface PendingMessageProps {
  readonly text: string;
  readonly isRunning: boolean;
  readonly onEdit: () => void;
  readonly onDrop: () => void;
  readonly onSend: () => void;
}

function PendingMessage({ text, isRunning, onEdit, onDrop, onSend }: PendingMessageProps): ReactElement {
  return (
    <section className="pending-message" aria-label="Message that waits">
      <div className="grow">
        <p className="small muted">
          {isRunning ? "Queued: sent when the turn ends" : "Not sent, because the turn was cancelled or failed"}
        </p>
        <LongText text={text} />
      </div>
      {!isRunning && (
        <Button size="small" onClick={onSend}>
          Send now
        </Button>
      )}
      <Button size="small" kind="quiet" onClick={onEdit}>
        Edit
      </Button>
      <Button size="small" kind="quiet" icon="close" aria-label="Take back the queued message" onClick={onDrop} />
    </section>
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
