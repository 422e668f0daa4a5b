import { Component, type ReactNode } from 'react';
import { PanelFailure } from './panel-failure.tsx';

interface PanelBoundaryProps {
  /** The card or pane that the panel itself would have drawn around what it shows. */
  readonly frame?: (failure: ReactNode) => ReactNode;
  /** What the panel is about: when that is another thing, the panel is tried again. */
  readonly of?: string;
  readonly children: ReactNode;
}

interface PanelBoundaryState {
  readonly failure: { readonly error: unknown } | null;
}

/** SHELL-4: what breaks inside one panel is said there, with the way to try again; the rest of the page lives. */
export class PanelBoundary extends Component<PanelBoundaryProps, PanelBoundaryState> {
  override state: PanelBoundaryState = { failure: null };

  static getDerivedStateFromError(error: unknown): PanelBoundaryState {
    return { failure: { error } };
  }

  override componentDidUpdate(before: PanelBoundaryProps): void {
    if (this.state.failure && before.of !== this.props.of) this.#retry();
  }

  override render(): ReactNode {
    const { frame, children } = this.props;
    const { failure } = this.state;
    if (!failure) return children;
    const shown = <PanelFailure error={failure.error} onRetry={this.#retry} />;
    return frame ? frame(shown) : shown;
  }

  readonly #retry = (): void => this.setState({ failure: null });
}
