import { Component, type ComponentChildren } from 'preact'
import { messageOf } from '../../../../runtime/problems/message-of.ts'

interface BoundaryProps {
  readonly children: ComponentChildren
}

/**
 * Keeps what cannot be drawn, a file of another form than expected say, from taking the rest of the page with it. Says so in its place,
 * and tries again whenever what it holds is drawn anew.
 */
export class Boundary extends Component<BoundaryProps, { readonly failure?: string | undefined }> {
  static override getDerivedStateFromError(thrown: unknown): object {
    return { failure: messageOf(thrown) }
  }

  /** With its stack, for whoever looks for the reason. */
  override componentDidCatch(thrown: unknown): void {
    console.error(thrown)
  }

  override componentDidUpdate({ children }: BoundaryProps): void {
    if (children !== this.props.children && this.state.failure !== undefined) {
      this.setState({ failure: undefined })
    }
  }

  override render(): ComponentChildren {
    const { failure } = this.state
    return failure === undefined ? (
      this.props.children
    ) : (
      <p class="note problem">This cannot be shown: {failure}</p>
    )
  }
}
