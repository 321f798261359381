import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Boundary } from './boundary.tsx'

export interface Tab {
  readonly name: string
  readonly label: string
}

export interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly chosen: Signal<string>
  readonly children: ComponentChildren
}

/** Panels of which one is shown; arrow keys go from one to the next. */
export function Tabs({ label, tabs, chosen, children }: TabsProps) {
  const id = useId()
  const at = tabs.findIndex(({ name }) => name === chosen.value)
  const move = (list: HTMLElement, step: number): void => {
    const next = (at + step + tabs.length) % tabs.length
    chosen.value = tabs[next]?.name ?? chosen.value
    list.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus()
  }
  return (
    <>
      <div
        class="tabs"
        role="tablist"
        aria-label={label}
        onKeyDown={(event) => {
          if (event.key === 'ArrowRight') move(event.currentTarget, 1)
          else if (event.key === 'ArrowLeft') move(event.currentTarget, -1)
          else return
          event.preventDefault()
        }}
      >
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-${tab.name}`}
            aria-selected={tab.name === chosen.value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.name === chosen.value ? 0 : -1}
            onClick={() => {
              chosen.value = tab.name
            }}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div class="panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen.value}`}>
        <Boundary>{children}</Boundary>
      </div>
    </>
  )
}
