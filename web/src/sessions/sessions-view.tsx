import { type ReactElement, useEffect } from "react";
import { loadParser } from "../components/markdown.tsx";
import { useRoute } from "../router.ts";
import { NewSession } from "./new-session.tsx";
import { SessionList } from "./session-list.tsx";
import { SessionPane } from "./session-pane.tsx";
import "./sessions.css";

/** The view "Sessions": a list, and beside it one session or the form for a new one. */
export function SessionsView(): ReactElement {
  const { id, query } = useRoute();
  useEffect(() => void loadParser(), []);
  const at = Number(query.get("at"));
  const isDetail = id !== undefined || query.has("new");
  return (
    <div className="split" data-open={isDetail ? "detail" : "list"}>
      <SessionList selected={id} />
      {id === undefined ? (
        <NewSession />
      ) : (
        <SessionPane key={id} id={id} at={Number.isInteger(at) && at > 0 ? at : undefined} />
      )}
    </div>
  );
}
