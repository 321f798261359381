import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { StudioInfo } from '../wire/tools.ts'
import { get } from './ask.ts'
import { Boundary } from './parts/boundary.tsx'
import { useResource } from './parts/resource.ts'
import { ThemeButton } from './parts/theme.tsx'
import { href, route } from './route.ts'
import { RunList } from './runs/run-list.tsx'
import { RunView } from './runs/run-view.tsx'
import { watchRuns } from './runs/runs-state.ts'
import { ToolList } from './tools/tool-list.tsx'
import { ToolView } from './tools/tool-view.tsx'

/** The whole page: the list on the left, the selected item on the right. */
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
  const [room = 'tools', chosen, part] = route.value
  const hasRuns = info.runsFolder !== undefined
  const isRuns = room === 'runs' && hasRuns
  const toolSearch = useSignal('')
  const runSearch = useSignal('')
  useEffect(() => {
    if (hasRuns) void watchRuns()
  }, [hasRuns])
  return (
    <div class={chosen === undefined ? 'studio' : 'studio chosen'}>
      <header class="top">
        <a class="mark" href={href()}>
          callsheet <span>studio</span>
        </a>
        {hasRuns && (
          <nav class="rooms" aria-label="Rooms">
            <a href={href('tools')} aria-current={isRuns ? undefined : 'page'}>
              Tools
            </a>
            <a href={href('runs')} aria-current={isRuns ? 'page' : undefined}>
              Runs
            </a>
          </nav>
        )}
        <span class="place" title={info.place}>
          {isRuns ? info.runsFolder : info.place}
        </span>
        <ThemeButton />
      </header>
      <section class="side" aria-label={isRuns ? 'All runs' : 'All Tools'}>
        <Boundary>
          {isRuns ? (
            <RunList search={runSearch} chosen={chosen} />
          ) : (
            <ToolList tools={info.tools} search={toolSearch} chosen={chosen} />
          )}
        </Boundary>
      </section>
      <main class="main">
        <Boundary>
          {isRuns ? (
            <ChosenRun id={chosen} step={part} folder={info.runsFolder ?? ''} />
          ) : (
            <ChosenTool name={chosen} info={info} />
          )}
        </Boundary>
      </main>
    </div>
  )
}

function ChosenRun(props: {
  readonly id: string | undefined
  readonly step: string | undefined
  readonly folder: string
}) {
  const { id, step, folder } = props
  if (id !== undefined) return <RunView key={id} id={id} step={step} />
  return (
    <div class="welcome">
      <h1>Choose a run</h1>
      <p>
        Runs are files of {folder}: what <code>Agent({'{ log }'})</code> tells of, Vessels, and what an agent
        gave or threw. A file that grows is followed.
      </p>
    </div>
  )
}

function ChosenTool({ name, info }: { readonly name: string | undefined; readonly info: StudioInfo }) {
  const { tools } = info
  const tool = tools.find((each) => each.name === name)
  if (tool) return <ToolView key={tool.name} name={tool.name} info={info} />
  const count = (effects: string): number => tools.filter((each) => each.effects === effects).length
  return (
    <div class="welcome">
      <a class="back" href={href()}>
        All Tools
      </a>
      <h1>{name === undefined ? 'Choose a Tool' : `There is no Tool "${name}"`}</h1>
      <p>
        {tools.length} Tools: {count('read')} read, {tools.length - count('read')} may write. A Call that is
        run here is real.
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
