import { type ReactElement, useEffect, useState } from "react";
import type { QuestionAskedEvent } from "../../src/surfaces/http/client/index.ts";
import { ConnectionBanner, ConnectionState } from "./components/connection-state.tsx";
import { EmptyState } from "./components/empty-state.tsx";
import { ErrorBoundary } from "./components/error-boundary.tsx";
import { LazyPart, type Loader } from "./components/lazy-part.tsx";
import { LoginDialog, LoginPage } from "./components/login-form.tsx";
import { Brand, Navigation } from "./components/navigation.tsx";
import { Notices } from "./components/notices.tsx";
import { PageTools } from "./components/page-tools.tsx";
import { ShortcutsDialog } from "./components/shortcuts-dialog.tsx";
import { isWithoutSession, useQuestions } from "./questions.ts";
import { Link, navigate, pathTo, useRoute, type ViewName } from "./router.ts";
import { useLiveState, useServer } from "./server.ts";
import { useEscapeFromFields, useShortcuts } from "./shortcuts.ts";

const VIEWS: Readonly<Record<ViewName, Loader<object>>> = {
  tools: async () => (await import("./tools/tools-view.tsx")).ToolsView,
  sessions: async () => (await import("./sessions/sessions-view.tsx")).SessionsView,
  calls: async () => (await import("./calls/calls-view.tsx")).CallsView,
  agents: async () => (await import("./agents/agents-view.tsx")).AgentsView,
  permissions: async () => (await import("./permissions/permissions-view.tsx")).PermissionsView,
};

/** The whole page. */
export function App(): ReactElement {
  const { live } = useServer();
  const isLoggedOut = useLiveState().kind === "unauthorized";
  // Before the first connection there is nothing to show behind the form.
  if (isLoggedOut && live.generation() === 0) return <LoginPage />;
  return (
    <>
      <Frame />
      {isLoggedOut && <LoginDialog />}
    </>
  );
}

function Frame(): ReactElement {
  const { view, id } = useRoute();
  const questions = useQuestions();
  useTitle(view, id, questions.length);
  usePreloadedViews();
  useEscapeFromFields();
  const [help, setHelp] = useState(false);
  const showHelp = (): void => setHelp(true);
  useShortcuts({
    "?": showHelp,
    "g t": () => navigate(pathTo("tools")),
    "g s": () => navigate(pathTo("sessions")),
    "g c": () => navigate(pathTo("calls")),
    "g a": () => navigate(pathTo("agents")),
    "g p": () => navigate(pathTo("permissions")),
  });
  return (
    <div className="app">
      <a className="skip-link" href="#main">
        Skip to the view
      </a>
      <Navigation current={view} counts={countsOf(questions)} onHelp={showHelp} />
      <main className="main" id="main" tabIndex={-1}>
        <div className="topbar">
          <Brand />
          <ConnectionState />
          <PageTools onHelp={showHelp} />
        </div>
        <ConnectionBanner />
        <div className="view">
          <ErrorBoundary resetKey={view}>
            {view ? <LazyPart key={view} load={VIEWS[view]} props={{}} /> : <UnknownPage />}
          </ErrorBoundary>
        </div>
      </main>
      <Notices />
      {help && <ShortcutsDialog onClose={() => setHelp(false)} />}
    </div>
  );
}

/** The other views are small: they are loaded once the first is shown, so that they open at once. */
function usePreloadedViews(): void {
  const isLive = useLiveState().kind === "live";
  useEffect(() => {
    if (!isLive) return;
    const timer = setTimeout(() => {
      for (const load of Object.values(VIEWS)) load().catch(() => {});
    }, 1500);
    return () => clearTimeout(timer);
  }, [isLive]);
}

/** Questions about calls without a session are answered among the tools. */
function countsOf(questions: readonly QuestionAskedEvent[]): Partial<Record<ViewName, number>> {
  const tools = questions.filter(isWithoutSession).length;
  return { tools, sessions: questions.length - tools };
}

/** The name of the tab: it tells several tabs apart, and says that a question waits. */
function useTitle(view: ViewName | undefined, id: string | undefined, questions: number): void {
  useEffect(() => {
    const name = view === "tools" && id !== undefined ? id : view && view[0]?.toUpperCase() + view.slice(1);
    document.title = `${questions > 0 ? `(${questions}) ` : ""}${name ? `${name} · ` : ""}Toolwright`;
  }, [view, id, questions]);
}

function UnknownPage(): ReactElement {
  return (
    <EmptyState icon="search" title="There is no such page">
      Continue with the <Link to={pathTo("tools")}>tools</Link>.
    </EmptyState>
  );
}
