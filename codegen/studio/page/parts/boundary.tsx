import { Component, type ComponentChildren } from 'preact'
import { messageOf } from '../../../../runtime/problems/message-of.ts'

interface BoundaryProps {
  readonly children: ComponentChildren
}

/**
 * An error boundary: if its content cannot be rendered, for example a file with unexpected content, it shows the error in its
 * place, and tries again when the content is rendered again.
 */
export class Boundary extends Component<BoundaryProps, { readonly failure?: string | undefined }> {
  static override getDerivedStateFromError(thrown: unknown): object {
    return { failure: messageOf(thrown) }
  }

  /** Logs the error with its stack. */
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
