import { useSignal } from '@preact/signals'
import type { DialectView, StudioInfo, ToolDetail } from '../../wire/tools.ts'
import { post } from '../ask.ts'
import { JsonTree } from '../parts/json-tree.tsx'
import { useResource } from '../parts/resource.ts'

/** Compares a Tool in several dialects: the schema that is sent, its losses and its costs. */
export function DialectsView({ tool, info }: { readonly tool: ToolDetail; readonly info: StudioInfo }) {
  const { configured, all } = info.dialects
  const chosen = useSignal<readonly string[]>(configured.length > 0 ? configured : all.slice(0, 3))
  const path = `tools/${encodeURIComponent(tool.name)}/dialects`
  const views = useResource<DialectView[]>(`${path} all`, () => post(path, { dialects: all })).value
  if (views.state === 'waiting') return <p class="note">Loading…</p>
  if (views.state === 'failed') return <p class="note problem">{views.message}</p>
  const shown = views.value.filter(({ dialect }) => chosen.value.includes(dialect))
  const most = Math.max(...views.value.map(costOf))
  return (
    <div class="dialects">
      <fieldset class="choose">
        <legend>Dialects</legend>
        {views.value.map((view) => (
          <label key={view.dialect} class="pick">
            <input
              type="checkbox"
              checked={chosen.value.includes(view.dialect)}
              onChange={(event) => {
                const others = chosen.value.filter((name) => name !== view.dialect)
                chosen.value = event.currentTarget.checked ? [...others, view.dialect] : others
              }}
            />
            <span class="pick-name">{view.dialect}</span>
            <span class="pick-cost">{costText(view)}</span>
            <meter min={0} max={most} value={costOf(view)} aria-label={`Cost in ${view.dialect}`} />
          </label>
        ))}
      </fieldset>
      {!info.hasTokens && (
        <p class="note">
          Tokens are counted where <code>gpt-tokenizer</code> is installed.
        </p>
      )}
      <div class="columns">
        {shown.map((view) => (
          <Column key={view.dialect} view={view} />
        ))}
      </div>
    </div>
  )
}

function Column({ view }: { readonly view: DialectView }) {
  const { dialect, losses, standIns, unsupported } = view
  return (
    <section class="card column">
      <h2>
        {dialect} <span class="cost">{costText(view)}</span>
      </h2>
      {unsupported !== undefined && <p class="problem">{unsupported}</p>}
      {unsupported === undefined && losses.length + standIns.length === 0 && (
        <p class="fine">Everything is sent as declared.</p>
      )}
      {losses.length > 0 && (
        <>
          <h3>Not sent as declared</h3>
          <ul class="losses">
            {losses.map(({ pointer, keyword, value, action, enforcedBy }, index) => (
              <li key={index}>
                <code>{placeIn(pointer)}</code> {keyword}
                {value !== undefined && <code class="lost">{JSON.stringify(value).slice(0, 120)}</code>}
                <span class={`fate ${action}`}>{action}</span>
                {enforcedBy === 'validator' && <span class="fate checked">still checked</span>}
              </li>
            ))}
          </ul>
        </>
      )}
      {standIns.length > 0 && (
        <>
          <h3>Converted, and converted back</h3>
          <ul class="losses">
            {standIns.map(({ pointer, kind }, index) => (
              <li key={index}>
                <code>{placeIn(pointer)}</code> goes as {kind}
              </li>
            ))}
          </ul>
        </>
      )}
      {unsupported === undefined && (
        <>
          <h3>What is sent</h3>
          <JsonTree value={view.schema} open={3} />
        </>
      )}
    </section>
  )
}

/** Returns the location within the Tool, without the surrounding part that is the same for every Tool. */
function placeIn(pointer: string): string {
  return pointer.replace(/^\/properties\/calls\/items\/anyOf\/0/, '').replaceAll('/properties/', '/') || '/'
}

function costOf({ tokens, bytes }: DialectView): number {
  return tokens ?? bytes
}

function costText({ tokens, bytes, unsupported }: DialectView): string {
  if (unsupported !== undefined) return 'cannot say it'
  return tokens === undefined
    ? `${bytes.toLocaleString('en')} bytes`
    : `${tokens.toLocaleString('en')} tokens`
}
