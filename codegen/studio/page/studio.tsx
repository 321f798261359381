import { useSignal } from '@preact/signals'
import type { StudioInfo } from '../wire/tools.ts'
import { get } from './ask.ts'
import { useResource } from './parts/resource.ts'
import { ThemeButton } from './parts/theme.tsx'
import { href, route } from './route.ts'
import { ToolList } from './tools/tool-list.tsx'
import { ToolView } from './tools/tool-view.tsx'

/** The whole page: what there is on the left, what was chosen on the right. */
export function Studio() {
  const info = useResource<StudioInfo>('info', () => get('info')).value
  if (info.state === 'waiting') return <p class="note">Loading…</p>
  if (info.state === 'failed') return <Refused message={info.message} />
  return <Rooms info={info.value} />
}

function Refused({ message }: { readonly message: string }) {
  return (
    <main class="refused">
      <h1>Callsheet studio</h1>
      <p>{message}</p>
      <p>
        Open the address that <code>callsheet studio</code> printed: it carries a token, which is new for each
        start.
      </p>
    </main>
  )
}

function Rooms({ info }: { readonly info: StudioInfo }) {
  const [, name] = route.value
  const search = useSignal('')
  const tool = info.tools.find((each) => each.name === name)
  return (
    <div class={tool ? 'studio chosen' : 'studio'}>
      <header class="top">
        <a class="mark" href={href()}>
          callsheet <span>studio</span>
        </a>
        <span class="place" title={info.place}>
          {info.place}
        </span>
        <ThemeButton />
      </header>
      <nav class="side" aria-label="Tools">
        <ToolList tools={info.tools} search={search} chosen={name} />
      </nav>
      <main class="main">
        {tool ? (
          <ToolView key={tool.name} name={tool.name} info={info} />
        ) : (
          <Welcome info={info} unknown={name} />
        )}
      </main>
    </div>
  )
}

function Welcome({ info, unknown }: { readonly info: StudioInfo; readonly unknown: string | undefined }) {
  const { tools } = info
  const count = (effects: string): number => tools.filter((tool) => tool.effects === effects).length
  return (
    <div class="welcome">
      <h1>{unknown === undefined ? 'Choose a Tool' : `There is no Tool "${unknown}"`}</h1>
      <p>
        {tools.length} Tools: {count('read')} read, {count('write') + count('idempotent')} write. A Call that
        is run here is real.
      </p>
      <dl class="keys">
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>search</dd>
        <dt>
          <kbd>↑</kbd> <kbd>↓</kbd>
        </dt>
        <dd>move through the list</dd>
        <dt>
          <kbd>Enter</kbd>
        </dt>
        <dd>open</dd>
        <dt>
          <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        </dt>
        <dd>run the Call</dd>
      </dl>
    </div>
  )
}
