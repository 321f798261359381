import { useComputed } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Problem } from '../../../../runtime/errors.ts'
import type { ToolDetail } from '../../wire/tools.ts'
import { Control } from '../form/control.tsx'
import { FieldRow } from '../form/field-row.tsx'
import { FormContext, type FormSurroundings } from '../form/form-context.ts'
import { Fold } from '../parts/fold.tsx'
import { JsonEditor } from '../parts/json-editor.tsx'
import { useQuietly } from '../parts/resource.ts'
import { type CallState, callStateOf } from './call-state.ts'
import { problemMarks } from './problem-marks.ts'
import { RunView } from './run-view.tsx'

/** One Call of a Tool: its form and JSON side by side, its problems, and its result. */
export function CallView({ tool }: { readonly tool: ToolDetail }) {
  const state = useMemo(() => callStateOf(tool), [tool])
  useQuietly(
    () => state.parameters.value,
    () => void state.check(),
    120,
  )
  const { problems } = state
  const marks = useComputed(() => problemMarks(state.text.value, problems.value))
  const surroundings = useComputed((): FormSurroundings => {
    const byPath = new Map<string, Problem[]>()
    for (const problem of problems.value) {
      byPath.set(problem.path, [...(byPath.get(problem.path) ?? []), problem])
    }
    return {
      definitions: tool.definitions,
      problemsAt: (path) => byPath.get(path) ?? [],
      isAttempted: state.isAttempted.value,
      Row: FieldRow,
    }
  })
  const box = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        void state.start()
      }
    }
    // Capture: runs before the editor, which would insert a line break.
    addEventListener('keydown', onKey, true)
    return () => removeEventListener('keydown', onKey, true)
  }, [state])

  const isStale = state.textMistake.value !== undefined
  return (
    <div class="call" ref={box}>
      <div class="panes">
        <section class="card form" aria-label="Form">
          <h2>Form</h2>
          {isStale && <p class="note">Shows the last valid value: the JSON next to it is incomplete.</p>}
          <FormContext.Provider value={surroundings.value}>
            <div class={isStale ? 'stale' : ''}>
              {isEmpty(tool) ? (
                <p class="note">This Tool takes no parameters.</p>
              ) : (
                <Control
                  field={tool.form}
                  value={state.parameters.value}
                  onValue={(value) => state.setParameters(value)}
                  path=""
                  label="the parameters"
                  describedBy={undefined}
                  isInvalid={false}
                  isReference={false}
                />
              )}
            </div>
          </FormContext.Provider>
        </section>
        <section class="card json-side" aria-label="JSON">
          <h2>
            JSON
            <Starts state={state} />
          </h2>
          <JsonEditor
            label={`Parameters of ${tool.name} as JSON`}
            text={state.text.value}
            onText={(text) => state.setText(text)}
            marks={marks.value}
          />
          {isStale && <p class="problem">{state.textMistake.value}</p>}
          <ContextEditor state={state} />
        </section>
      </div>
      <RunBar state={state} problems={problems.value} tool={tool} box={box} />
      <RunView state={state} />
    </div>
  )
}

function isEmpty({ form }: ToolDetail): boolean {
  return form.kind === 'object' && form.properties.length === 0 && !form.others && form.matching.length === 0
}

/** Examples of the Tool and earlier Calls, to start from. */
function Starts({ state }: { readonly state: CallState }) {
  const { examples } = state.tool
  const earlier = state.earlier.value
  if (examples.length + earlier.length === 0) return null
  return (
    <select
      class="starts"
      aria-label="Start from an example or an earlier Call"
      value=""
      onChange={(event) => {
        const [kind, index] = event.currentTarget.value.split(' ')
        const found = kind === 'example' ? examples[Number(index)] : earlier[Number(index)]?.parameters
        if (found) state.setParameters(structuredClone(found))
        event.currentTarget.value = ''
      }}
    >
      <option value="">Begin from…</option>
      {examples.map((example, index) => (
        <option key={index} value={`example ${index}`}>
          Example: {briefly(example)}
        </option>
      ))}
      {earlier.map(({ parameters, status, at }, index) => (
        <option key={at} value={`earlier ${index}`}>
          {new Date(at).toLocaleTimeString()} {status}: {briefly(parameters)}
        </option>
      ))}
    </select>
  )
}

function briefly(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function ContextEditor({ state }: { readonly state: CallState }) {
  const mistake = state.contextMistake
  const reads = JSON.stringify(state.parameters.value).includes('†')
  const summary = (
    <>
      Context{' '}
      <span class="hint">{reads ? 'Messages that its References read' : 'Messages for References'}</span>
    </>
  )
  return (
    <>
      <Fold class="context" summary={summary}>
        {() => (
          <JsonEditor
            label="Messages that References read, as JSON"
            text={state.contextText.value}
            onText={(text) => {
              state.contextText.value = text
            }}
          />
        )}
      </Fold>
      {mistake !== undefined && <p class="problem">{mistake}</p>}
    </>
  )
}

interface RunBarProps {
  readonly state: CallState
  readonly problems: readonly Problem[]
  readonly tool: ToolDetail
  readonly box: { readonly current: HTMLDivElement | null }
}

function RunBar({ state, problems, tool, box }: RunBarProps) {
  const run = state.run.value
  const failure = state.checkFailure.value
  const attempted = state.isAttempted.value ? ' attempted' : ''
  const toField = (path: string): void => {
    const fields = box.current?.querySelectorAll<HTMLElement>('[data-path]') ?? []
    // The field itself, or the nearest one around it.
    const found = [...fields]
      .filter((field) => path === field.dataset.path || path.startsWith(`${field.dataset.path}/`))
      .at(-1)
    found?.focus()
  }
  return (
    <section class="run-bar" aria-label="Run">
      {run?.isRunning ? (
        <button type="button" class="primary" onClick={() => state.stop()}>
          Stop
        </button>
      ) : (
        <button
          type="button"
          class={tool.effects === 'read' ? 'primary' : 'primary writes'}
          disabled={state.textMistake.value !== undefined}
          onClick={() => void state.start()}
        >
          Run <kbd>Ctrl Enter</kbd>
        </button>
      )}
      <div class="verdict" role="status">
        {failure !== undefined ? (
          <span class="problem">{failure}</span>
        ) : !state.isChecked.value ? (
          <span class="open">Checking…</span>
        ) : problems.length === 0 ? (
          <span class="fine">Passes the check</span>
        ) : (
          <span class={`open${attempted}`}>
            {problems.length} {problems.length === 1 ? 'problem' : 'problems'} left
          </span>
        )}
      </div>
      {problems.length > 0 && (
        <ul class={`problems${attempted}`}>
          {problems.slice(0, 50).map(({ path, message }, index) => (
            <li key={index}>
              <button type="button" class="quiet" onClick={() => toField(path)}>
                {message}
              </button>
            </li>
          ))}
          {problems.length > 50 && <li>and {problems.length - 50} more</li>}
        </ul>
      )}
    </section>
  )
}
