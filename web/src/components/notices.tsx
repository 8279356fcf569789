import { type ReactElement, useRef, useState } from "react";
import { useLiveEvents } from "../server.ts";
import { Button } from "./button.tsx";

const SHOWN_MS = 8000;
const MOST = 4;

/** Sentences of the server for the person who uses the page. */
export function Notices(): ReactElement {
  const [notices, setNotices] = useState<readonly { readonly id: number; readonly message: string }[]>([]);
  const last = useRef(0);
  const remove = (id: number): void => setNotices((all) => all.filter((notice) => notice.id !== id));
  useLiveEvents(["notice"], (_, { message }) => {
    const id = ++last.current;
    setNotices((all) => [...all, { id, message }].slice(-MOST));
    setTimeout(() => remove(id), SHOWN_MS);
  });
  return (
    <div className="notices" role="status">
      {notices.map(({ id, message }) => (
        <div key={id} className="notice">
          <span className="grow">{message}</span>
          <Button kind="quiet" size="small" icon="close" aria-label="Dismiss" onClick={() => remove(id)} />
        </div>
      ))}
    </div>
  );
}
