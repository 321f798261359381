import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

export interface FoldProps {
  readonly summary: ComponentChildren
  /** Made when it is opened: what nobody looks at costs nothing. */
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
