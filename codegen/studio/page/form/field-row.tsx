import { useId } from 'preact/hooks'
import type { Field } from '../../form/field.ts'
import { Control } from './control.tsx'
import { type FieldRowProps, useForm } from './form-context.ts'
import { hintOf } from './hint.ts'
import { initialValue, shownField } from './initial-value.ts'

/** Kinds that have parts, and appear when somebody wants them. */
const compound: ReadonlySet<Field['kind']> = new Set(['object', 'list', 'union', 'any', 'null'])
/** Kinds in which text can be typed, a Reference included. */
const typed: ReadonlySet<Field['kind']> = new Set(['text', 'number', 'any'])

/** One field of a form: name, control, description and problems. */
export function FieldRow(props: FieldRowProps) {
  const { name, shownName = name, field, isRequired, value, path, onValue, onRemove, onMoveUp } = props
  const { definitions, problemsAt, isAttempted } = useForm()
  const id = useId()
  const shown = shownField(field, definitions)
  const isSet = value !== undefined
  const problems = isSet || isAttempted ? problemsAt(path) : []
  const { description, conditions = [], deprecated } = { ...shown, ...field }
  const isFixed = shown.kind === 'choice' && shown.values.length === 1
  const hasParts = compound.has(shown.kind)
  const isReference = typeof value === 'string' && value.startsWith('†') && !typed.has(shown.kind)
  const spoken = props.spokenName ?? name
  const describes = description !== undefined || problems.length > 0 || conditions.length > 0
  const control = {
    field: shown,
    value,
    onValue,
    path,
    label: spoken,
    describedBy: describes ? id : undefined,
    isInvalid: problems.length > 0,
  }
  return (
    <div class={`field ${hasParts ? 'compound' : 'plain'}${problems.length > 0 ? ' wrong' : ''}`}>
      <div class="head">
        {props.nameControl ?? <span class="name">{shownName}</span>}
        {isRequired && !onRemove && (
          <span class={isAttempted && !isSet ? 'required missing' : 'required'}>required</span>
        )}
        {deprecated && <span class="required">deprecated</span>}
        <span class="hint">{hintOf(shown)}</span>
        <span class="tools">
          {!typed.has(shown.kind) && !isFixed && !isReference && (
            <button
              type="button"
              class="icon"
              title="Write a Reference"
              aria-label={`Write a Reference for ${spoken}`}
              onClick={() => onValue('†state.')}
            >
              †
            </button>
          )}
          {onMoveUp && (
            <button
              type="button"
              class="icon"
              title="Move up"
              aria-label={`Move ${spoken} up`}
              onClick={onMoveUp}
            >
              ↑
            </button>
          )}
          {(onRemove || (isSet && !isFixed)) && (
            <button
              type="button"
              class="icon"
              title={onRemove ? 'Remove' : 'Take out'}
              aria-label={`${onRemove ? 'Remove' : 'Take out'} ${spoken}`}
              onClick={onRemove ?? (() => onValue(undefined))}
            >
              ×
            </button>
          )}
        </span>
      </div>
      {hasParts && !isSet ? (
        <button
          type="button"
          class="add"
          data-path={path}
          aria-describedby={describes ? id : undefined}
          onClick={() => onValue(initialValue(shown, definitions))}
        >
          Set {spoken}
        </button>
      ) : (
        <Control {...control} isReference={isReference} />
      )}
      {describes && (
        <div class="notes" id={id}>
          {description !== undefined && <p class="description">{description}</p>}
          {conditions.map((condition) => (
            <p key={condition} class="description">
              {condition}
            </p>
          ))}
          {problems.map(({ message, path: at }, index) => (
            <p key={index} class="problem">
              {withoutPath(message, at)}
            </p>
          ))}
        </div>
      )}
    </div>
  )
}

/** Removes the location from a message, which is shown at that location. */
function withoutPath(message: string, path: string): string {
  return path !== '' && message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message
}
