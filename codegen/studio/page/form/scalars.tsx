import { useSignal } from '@preact/signals'
import { isSameJson } from '../../../../runtime/json/same-json.ts'
import type { ControlProps } from './form-context.ts'
import { exampleOf } from './hint.ts'

/** Longer ones get a box that grows. */
const longestLine = 120

export function TextControl({
  field,
  value,
  onValue,
  label,
  describedBy,
  isInvalid,
  path,
}: ControlProps<'text'>) {
  const shared = {
    'data-path': path,
    'aria-label': label,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid,
    placeholder: exampleOf(field.format) ?? (value === undefined ? 'not set' : ''),
    value: typeof value === 'string' ? value : '',
    spellcheck: false,
    onInput: (event: { currentTarget: { value: string } }) => onValue(event.currentTarget.value),
  }
  const isLine = field.format !== undefined || (field.max !== undefined && field.max <= longestLine)
  return isLine ? <input type="text" autocomplete="off" {...shared} /> : <textarea rows={1} {...shared} />
}

/** A number, or while it is none the text as it was typed: what it lacks is for the check to say. */
export function NumberControl({
  value,
  onValue,
  label,
  describedBy,
  isInvalid,
  path,
}: ControlProps<'number'>) {
  const typed = useSignal('')
  const said = value === undefined ? '' : String(value)
  // As typed while it means the same, so that "1." can become "1.5".
  const text = Object.is(numberIn(typed.value), value) ? typed.value : said
  return (
    <input
      type="text"
      inputMode="decimal"
      autocomplete="off"
      data-path={path}
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      placeholder="not set"
      value={text}
      onInput={(event) => {
        typed.value = event.currentTarget.value
        onValue(numberIn(typed.value))
      }}
    />
  )
}

function numberIn(text: string): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const isNumber = /^-?\d+(?:\.\d*)?(?:e[+-]?\d+)?$/i.test(trimmed)
  return isNumber ? Number(trimmed) : text
}

export function FlagControl(props: ControlProps<'flag'>) {
  return <Choice {...props} values={[true, false]} />
}

export function ChoiceControl(props: ControlProps<'choice'>) {
  return <Choice {...props} values={props.field.values} />
}

const unset = 'unset'

function Choice({
  values,
  value,
  onValue,
  label,
  describedBy,
  isInvalid,
  path,
}: Omit<ControlProps, 'field'> & { readonly values: readonly unknown[] }) {
  const at = values.findIndex((each) => isSameJson(each, value))
  return (
    <select
      data-path={path}
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      value={at < 0 ? unset : String(at)}
      onChange={(event) => {
        const chosen = event.currentTarget.value
        onValue(chosen === unset ? undefined : values[Number(chosen)])
      }}
    >
      <option value={unset}>not set</option>
      {values.map((each, index) => (
        <option key={index} value={String(index)}>
          {typeof each === 'string' ? each : JSON.stringify(each)}
        </option>
      ))}
    </select>
  )
}

/** A value that no control can show, or one of any form: as JSON. */
export function JsonControl({
  value,
  onValue,
  label,
  describedBy,
  isInvalid,
  path,
}: Omit<ControlProps, 'field'>) {
  const typed = useSignal('')
  const said = value === undefined ? '' : JSON.stringify(value)
  const text = isSameJson(jsonIn(typed.value) ?? null, value ?? null) ? typed.value : said
  return (
    <textarea
      rows={1}
      class="mono"
      data-path={path}
      aria-label={`${label}, as JSON`}
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      placeholder="JSON, or text"
      spellcheck={false}
      value={text}
      onInput={(event) => {
        typed.value = event.currentTarget.value
        onValue(jsonIn(typed.value))
      }}
    />
  )
}

/** What is no JSON is text: nothing that is typed is lost. */
function jsonIn(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
