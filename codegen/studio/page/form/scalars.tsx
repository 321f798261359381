import { useSignal } from '@preact/signals'
import { isSameJson } from '../../../../runtime/json/same-json.ts'
import type { ControlProps } from './form-context.ts'
import { exampleOf } from './hint.ts'

/** Which place of the Call a control edits, for the focus and for assistive technology. */
function placeAttributes({ path, label, describedBy, isInvalid }: Omit<ControlProps, 'field' | 'value'>) {
  return {
    'data-path': path,
    'aria-label': label,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid,
  }
}

/** Longer ones get a box that grows. */
const longestLine = 120

export function TextControl(props: ControlProps<'text'>) {
  const { field, value, onValue } = props
  const shared = {
    ...placeAttributes(props),
    placeholder: exampleOf(field.format) ?? (value === undefined ? 'not set' : ''),
    value: typeof value === 'string' ? value : '',
    spellcheck: false,
    onInput: (event: { currentTarget: { value: string } }) => onValue(event.currentTarget.value),
  }
  const isLine = field.format !== undefined || (field.max !== undefined && field.max <= longestLine)
  return isLine ? <input type="text" autocomplete="off" {...shared} /> : <textarea rows={1} {...shared} />
}

/** The control of a number. While the typed text is not a number, the value is the text, and the check reports the problem. */
export function NumberControl(props: ControlProps<'number'>) {
  const { value, onValue } = props
  const typed = useSignal('')
  const said = value === undefined ? '' : String(value)
  // As typed while it means the same, so that "1." can become "1.5".
  const text = Object.is(numberIn(typed.value), value) ? typed.value : said
  return (
    <input
      type="text"
      inputMode="decimal"
      autocomplete="off"
      {...placeAttributes(props)}
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

function Choice(props: Omit<ControlProps, 'field'> & { readonly values: readonly unknown[] }) {
  const { values, value, onValue } = props
  const at = values.findIndex((each) => isSameJson(each, value))
  return (
    <select
      {...placeAttributes(props)}
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
export function JsonControl(props: Omit<ControlProps, 'field'>) {
  const { value, onValue, label } = props
  const typed = useSignal('')
  const said = value === undefined ? '' : JSON.stringify(value)
  const text = isSameJson(jsonIn(typed.value) ?? null, value ?? null) ? typed.value : said
  return (
    <textarea
      rows={1}
      class="mono"
      {...placeAttributes({ ...props, label: `${label}, as JSON` })}
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

/** Anything that is not JSON is text: nothing that is typed is lost. */
function jsonIn(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
