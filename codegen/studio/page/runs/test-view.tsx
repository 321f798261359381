import { useSignal } from '@preact/signals'
import type { NoTest, TestText } from '../../wire/runs.ts'
import { get } from '../ask.ts'
import { useResource } from '../parts/resource.ts'

/** The run as a test, to be saved in the project. */
export function TestView({ id }: { readonly id: string }) {
  const path = `runs/${encodeURIComponent(id)}/test`
  const test = useResource<TestText | NoTest>(path, () => get(path)).value
  const isCopied = useSignal(false)
  if (test.state === 'waiting') return <p class="note">Loading…</p>
  if (test.state === 'failed') return <p class="problem">{test.message}</p>
  if ('why' in test.value) return <p class="note">{test.value.why}</p>
  const { name, text } = test.value
  return (
    <div class="test">
      <div class="run-bar">
        <button type="button" class="primary" onClick={() => save(name, text)}>
          Save {name}
        </button>
        <button
          type="button"
          class="add"
          onClick={async () => {
            await navigator.clipboard.writeText(text)
            isCopied.value = true
          }}
        >
          {isCopied.value ? 'Copied' : 'Copy'}
        </button>
        <span class="note">The model's answers are a script in it: it needs no network and no key.</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <pre class="card" tabIndex={0}>
        {text.length > 200_000 ? `${text.slice(0, 200_000)}\n…` : text}
      </pre>
    </div>
  )
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  URL.revokeObjectURL(url)
}
