import type { Signal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { ToolLine } from '../../wire/tools.ts'
import { VirtualList } from '../parts/virtual-list.tsx'
import { go } from '../route.ts'
import { foundTools } from './found-tools.ts'

export interface ToolListProps {
  readonly tools: readonly ToolLine[]
  readonly search: Signal<string>
  readonly chosen: string | undefined
}

/** All Tools, or those that a search leaves. */
export function ToolList({ tools, search, chosen }: ToolListProps) {
  const box = useRef<HTMLInputElement>(null)
  const found = useMemo(() => foundTools(tools, search.value), [tools, search.value])

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement
      const isTyping = target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      box.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])

  return (
    <>
      <div class="search">
        <input
          ref={box}
          type="search"
          placeholder="Search Tools"
          aria-label="Search Tools"
          value={search.value}
          onInput={(event) => {
            search.value = event.currentTarget.value
          }}
          onKeyDown={(event) => {
            const [first] = found
            if (event.key === 'Enter' && first) go('tools', first.name)
          }}
        />
        <span class="count" role="status">
          {found.length === tools.length ? tools.length : `${found.length} of ${tools.length}`}
        </span>
      </div>
      <VirtualList
        label="Tools"
        items={found}
        keyOf={(tool) => tool.name}
        chosen={chosen}
        onChoose={(tool) => go('tools', tool.name)}
        rowHeight={52}
        row={(tool) => <ToolRow tool={tool} />}
      />
    </>
  )
}

function ToolRow({ tool }: { readonly tool: ToolLine }) {
  return (
    <>
      <span class={`dot ${tool.effects ?? 'undeclared'}`} title={tool.effects ?? 'effects not declared'} />
      <span class="name">{tool.name}</span>
      <span class="about">{tool.description ?? tool.title ?? ''}</span>
    </>
  )
}
