import { useSignal } from '@preact/signals'
import type { StudioInfo, ToolDetail } from '../../wire/tools.ts'
import { get } from '../ask.ts'
import { CallView } from '../call/call-view.tsx'
import { EffectsBadge } from '../parts/badge.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import { useResource } from '../parts/resource.ts'
import { Tabs } from '../parts/tabs.tsx'
import { href } from '../route.ts'
import { DialectsView } from './dialects-view.tsx'

const details = new Map<string, Promise<ToolDetail>>()

function detailOf(name: string): Promise<ToolDetail> {
  const known = details.get(name)
  if (known) return known
  const asked = get<ToolDetail>(`tools/${encodeURIComponent(name)}`)
  details.set(name, asked)
  // Load again after a failure.
  asked.catch(() => details.delete(name))
  return asked
}

const tabs = [
  { name: 'call', label: 'Call' },
  { name: 'dialects', label: 'Dialects' },
  { name: 'schema', label: 'Schema' },
]

export function ToolView({ name, info }: { readonly name: string; readonly info: StudioInfo }) {
  const tool = useResource<ToolDetail>(name, () => detailOf(name)).value
  if (tool.state === 'waiting') return <p class="note">Loading…</p>
  if (tool.state === 'failed') return <p class="note problem">{tool.message}</p>
  return <Shown tool={tool.value} info={info} />
}

function Shown({ tool, info }: { readonly tool: ToolDetail; readonly info: StudioInfo }) {
  const tab = useSignal('call')
  return (
    <article class="tool">
      <header class="about-tool">
        <a class="back" href={href()}>
          All Tools
        </a>
        <h1>{tool.name}</h1>
        <p class="badges">
          <EffectsBadge effects={tool.effects} />
          {tool.isLatent && <span class="badge latent">answered by a model</span>}
          {tool.deprecated && <span class="badge">deprecated</span>}
        </p>
        {tool.title !== undefined && <p class="tool-title">{tool.title}</p>}
        {tool.description !== undefined && <p class="tool-description">{tool.description}</p>}
      </header>
      <Tabs label={`Views of ${tool.name}`} tabs={tabs} chosen={tab}>
        {tab.value === 'call' && <CallView tool={tool} />}
        {tab.value === 'dialects' && <DialectsView tool={tool} info={info} />}
        {tab.value === 'schema' && (
          <div class="schemas">
            <section class="card">
              <h2>As declared</h2>
              <JsonTree value={tool.schema} open={4} />
            </section>
            {tool.outputSchema !== undefined && (
              <section class="card">
                <h2>Its output</h2>
                <JsonTree value={tool.outputSchema} open={4} />
              </section>
            )}
          </div>
        )}
      </Tabs>
    </article>
  )
}
