import { Component, type ReactNode } from "react";
import { ErrorState } from "./error-state.tsx";

interface ErrorBoundaryProps {
  readonly children: ReactNode;
  /** The error is forgotten when this changes. */
  readonly resetKey?: unknown;
  /** Shown instead of the children; by default an error state. */
  readonly fallback?: ((error: unknown, reset: () => void) => ReactNode) | undefined;
}

interface ErrorBoundaryState {
  readonly failure: { readonly error: unknown } | undefined;
}

/** Keeps a defect in one part of the page from taking down the rest. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failure: undefined };

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { failure: { error } };
  }

  override componentDidUpdate(before: ErrorBoundaryProps): void {
    if (this.state.failure && before.resetKey !== this.props.resetKey) this.reset();
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (!failure) return this.props.children;
    if (this.props.fallback) return this.props.fallback(failure.error, this.reset);
    return <ErrorState title="This part of the page failed" error={failure.error} onRetry={this.reset} />;
  }

  private readonly reset = (): void => this.setState({ failure: undefined });
}
