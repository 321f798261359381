import type { Field } from '../../form/field.ts'
import { ListControl, ObjectControl } from './collections.tsx'
import { alternativeOf, fits } from './fits.ts'
import { type ControlProps, useForm } from './form-context.ts'
import { initialValue, shownField } from './initial-value.ts'
import { ChoiceControl, FlagControl, JsonControl, NumberControl, TextControl } from './scalars.tsx'

/** The control of a field. A value of another form, for example from the JSON editor, is shown as JSON. */
export function Control({
  field,
  isReference,
  ...props
}: Omit<ControlProps, 'field'> & { readonly field: Field; readonly isReference: boolean }) {
  const { value } = props
  if (isReference) return <TextControl {...props} field={{ kind: 'text', max: 1 }} />
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' || value === undefined ? (
        <TextControl {...props} field={field} />
      ) : (
        <JsonControl {...props} />
      )
    case 'number':
      return typeof value === 'object' || typeof value === 'boolean' ? (
        <JsonControl {...props} />
      ) : (
        <NumberControl {...props} field={field} />
      )
    case 'flag':
      return typeof value === 'boolean' || value === undefined ? (
        <FlagControl {...props} field={field} />
      ) : (
        <JsonControl {...props} />
      )
    case 'choice':
      return value === undefined || fits(field, value, {}) ? (
        <ChoiceControl {...props} field={field} />
      ) : (
        <JsonControl {...props} />
      )
    case 'list':
      return Array.isArray(value) ? <ListControl {...props} field={field} /> : <JsonControl {...props} />
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? (
        <ObjectControl {...props} field={field} />
      ) : (
        <JsonControl {...props} />
      )
    case 'union':
      return <UnionControl {...props} field={field} />
    case 'null':
      return <code class="fixed">{value === null ? 'null' : JSON.stringify(value)}</code>
    case 'never':
      return <p class="description">No value is valid here.</p>
    default:
      return <JsonControl {...props} />
  }
}

function UnionControl({ field, ...props }: ControlProps<'union'>) {
  const { definitions } = useForm()
  const { value, onValue, label } = props
  const at = alternativeOf(field, value, definitions)
  const chosen = field.alternatives[at]
  const inner = chosen && shownField(chosen.field, definitions)
  return (
    <div class="union">
      <select
        aria-label={`Form of ${label}`}
        value={String(at)}
        onChange={(event) => {
          const next = field.alternatives[Number(event.currentTarget.value)]
          if (next) onValue(initialValue(next.field, definitions))
        }}
      >
        {at < 0 && <option value="-1">none of them</option>}
        {field.alternatives.map((each, index) => (
          <option key={index} value={String(index)}>
            {each.label}
          </option>
        ))}
      </select>
      {inner ? <Control {...props} field={inner} isReference={false} /> : <JsonControl {...props} />}
    </div>
  )
}
