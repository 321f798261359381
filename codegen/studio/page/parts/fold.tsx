import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

export interface FoldProps {
  readonly summary: ComponentChildren
  /** Renders the content. Called when the fold is opened, so that closed ones cost nothing. */
  readonly children: () => ComponentChildren
  readonly class?: string
}

/** Something to open. */
export function Fold({ summary, children, class: name }: FoldProps) {
  const isOpen = useSignal(false)
  return (
    <details
      class={name}
      open={isOpen.value}
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open
      }}
    >
      <summary>{summary}</summary>
      {isOpen.value && children()}
    </details>
  )
}
