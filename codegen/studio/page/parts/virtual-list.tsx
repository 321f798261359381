import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'

export interface VirtualListProps<Item> {
  readonly label: string
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  /** The key of the item that is open. */
  readonly chosen: string | undefined
  readonly onChoose: (item: Item) => void
  /** Pixels; every row is as high. */
  readonly rowHeight: number
  readonly row: (item: Item, index: number) => ComponentChildren
}

/** Rows rendered beyond the visible area, so that fast scrolling shows no gaps. */
const spare = 6

/** A list of any length of which only the rows in sight are there; arrow keys, Home, End and Page keys move through it. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { label, items, keyOf, chosen, onChoose, rowHeight, row } = props
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const top = useSignal(0)
  const height = useSignal(600)
  const active = useSignal(-1)
  const at = items.findIndex((item) => keyOf(item) === chosen)

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      height.value = element.clientHeight
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    active.value = at
    if (at >= 0) show(at)
    // Not with each change of the list, so that the scroll position stays while the list grows.
  }, [chosen, at])

  const show = (index: number): void => {
    const element = box.current
    if (!element) return
    const [from, to] = [index * rowHeight, (index + 1) * rowHeight]
    if (from < element.scrollTop) element.scrollTop = from
    else if (to > element.scrollTop + element.clientHeight) element.scrollTop = to - element.clientHeight
  }

  const move = (index: number): void => {
    const next = Math.max(0, Math.min(items.length - 1, index))
    active.value = next
    show(next)
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(height.value / rowHeight) - 1)
    const current = active.value
    const steps: Record<string, number> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + page,
      PageUp: current - page,
      Home: 0,
      End: items.length - 1,
    }
    const step = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined
    if (step !== undefined) move(step)
    else if (event.key === 'Enter' || event.key === ' ') {
      const item = items[current]
      if (item) onChoose(item)
    } else return
    event.preventDefault()
  }

  const first = Math.max(0, Math.floor(top.value / rowHeight) - spare)
  const last = Math.min(items.length, Math.ceil((top.value + height.value) / rowHeight) + spare)
  // The active row stays, wherever it is: assistive technology reads it by its id.
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset)
  const marked = active.value
  if (marked >= 0 && marked < items.length && (marked < first || marked >= last)) shown.push(marked)

  return (
    <div
      class="virtual-list"
      ref={box}
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={marked >= 0 && marked < items.length ? `${id}-${marked}` : undefined}
      onKeyDown={onKeyDown}
      onFocus={() => {
        if (active.value < 0) active.value = 0
      }}
      onScroll={(event) => {
        top.value = event.currentTarget.scrollTop
      }}
    >
      <div role="presentation" style={{ height: `${items.length * rowHeight}px` }}>
        {shown.map((index) => {
          const item = items[index] as Item
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys for all of its rows
            // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the active row
            <div
              key={keyOf(item)}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              class={index === marked ? 'row active' : 'row'}
              style={{ transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` }}
              onClick={() => onChoose(item)}
            >
              {row(item, index)}
            </div>
          )
        })}
      </div>
    </div>
  )
}
