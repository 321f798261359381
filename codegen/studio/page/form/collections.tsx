import { type Signal, useSignal } from '@preact/signals'
import { isJsonObject } from '../../../../runtime/json/json.ts'
import { pointerSegment } from '../../../../runtime/json/json-pointer.ts'
import type { Field } from '../../form/field.ts'
import { type ControlProps, useForm } from './form-context.ts'
import { initialValue } from './initial-value.ts'

/** Items that are shown before somebody asks for more. */
const page = 50
/** Members that are shown at once: a form of ten thousand would take many seconds to appear. */
const memberPage = 200

interface MoreProps {
  readonly count: number
  readonly shown: Signal<number>
  readonly by: number
}

function More({ count, shown, by }: MoreProps) {
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => {
        shown.value += by
      }}
    >
      {count} more
    </button>
  )
}

export function ListControl({ field, value, onValue, path, label }: ControlProps<'list'>) {
  const { definitions, Row } = useForm()
  const shown = useSignal(page)
  const items = Array.isArray(value) ? value : []
  const replaced = (index: number, item: unknown): unknown[] => {
    const next = [...items]
    // An item cannot be absent: removing one closes the gap.
    if (item === undefined) next[index] = null
    else next[index] = item
    return next
  }
  const isFull = field.max !== undefined && items.length >= field.max
  return (
    <div class="inside">
      {items.slice(0, shown.value).map((item, index) => (
        <Row
          key={index}
          name={String(index)}
          shownName={`${index + 1}`}
          spokenName={`${label} ${index + 1}`}
          field={field.first[index] ?? field.rest}
          isRequired
          value={item}
          path={`${path}/${index}`}
          onValue={(next) => onValue(replaced(index, next))}
          onRemove={() => onValue(items.toSpliced(index, 1))}
          onMoveUp={
            index > 0 ? () => onValue(items.toSpliced(index - 1, 2, item, items[index - 1])) : undefined
          }
        />
      ))}
      {items.length > shown.value && <More count={items.length - shown.value} shown={shown} by={page} />}
      <button
        type="button"
        class="add"
        disabled={isFull}
        onClick={() => {
          const next = field.first[items.length] ?? field.rest
          onValue([...items, initialValue(next, definitions)])
          shown.value = Math.max(shown.value, items.length + 1)
        }}
      >
        Add item<span class="spoken"> to {label}</span>
      </button>
    </div>
  )
}

export function ObjectControl({ field, value, onValue, path, label }: ControlProps<'object'>) {
  const { definitions, Row } = useForm()
  const object = isJsonObject(value) ? value : {}
  const known = new Set(field.properties.map(({ name }) => name))
  const set = (name: string, part: unknown): void => {
    // Entries make own properties of any name; the order stays as it was.
    const entries = Object.entries(object).filter(([each]) => each !== name || part !== undefined)
    const at = entries.findIndex(([each]) => each === name)
    if (part !== undefined && at >= 0) entries[at] = [name, part]
    else if (part !== undefined) entries.push([name, part])
    onValue(Object.fromEntries(inOrderOf(field.properties, entries)))
  }
  const rename = (from: string, to: string): void =>
    onValue(
      Object.fromEntries(Object.entries(object).map(([name, part]) => [name === from ? to : name, part])),
    )
  const extra = Object.keys(object).filter((name) => !known.has(name))
  const shown = useSignal(memberPage)
  const count = field.properties.length + extra.length
  const takesMore = field.others !== undefined || field.matching.length > 0
  return (
    <div class="inside">
      {field.properties.slice(0, shown.value).map((property) => (
        <Row
          key={property.name}
          name={property.name}
          field={property.field}
          isRequired={property.isRequired}
          value={Object.hasOwn(object, property.name) ? object[property.name] : undefined}
          path={`${path}/${pointerSegment(property.name)}`}
          onValue={(part) => set(property.name, part)}
        />
      ))}
      {extra.slice(0, Math.max(0, shown.value - field.properties.length)).map((name) => (
        <Entry
          key={name}
          name={name}
          isKnown={(other) => known.has(other) || extra.includes(other)}
          field={fieldOfName(field, name)}
          value={object[name]}
          path={`${path}/${pointerSegment(name)}`}
          onValue={(part) => set(name, part)}
          onName={(next) => rename(name, next)}
        />
      ))}
      {count > shown.value && <More count={count - shown.value} shown={shown} by={memberPage} />}
      {takesMore && (
        <button
          type="button"
          class="add"
          onClick={() => {
            set(freeName(object), initialValue(field.others ?? { kind: 'any' }, definitions))
            shown.value = Math.max(shown.value, count + 1)
          }}
        >
          Add entry<span class="spoken"> to {label}</span>
        </button>
      )}
    </div>
  )
}

/** Members in the order in which the schema lists them; the others behind, as they came. */
function inOrderOf(
  properties: Extract<Field, { kind: 'object' }>['properties'],
  entries: readonly (readonly [string, unknown])[],
): (readonly [string, unknown])[] {
  const places = new Map(properties.map(({ name }, index) => [name, index]))
  const placeOf = ([name]: readonly [string, unknown]): number => places.get(name) ?? properties.length
  return entries.toSorted((left, right) => placeOf(left) - placeOf(right))
}

interface EntryProps {
  readonly name: string
  readonly isKnown: (name: string) => boolean
  readonly field: Field
  readonly value: unknown
  readonly path: string
  readonly onValue: (value: unknown) => void
  readonly onName: (name: string) => void
}

/** A member whose name is data as well. */
function Entry({ name, isKnown, field, value, path, onValue, onName }: EntryProps) {
  const { Row } = useForm()
  return (
    <Row
      name={name}
      nameControl={
        <input
          type="text"
          class="key mono"
          aria-label={`Name of the entry ${name}`}
          autocomplete="off"
          value={name}
          onChange={(event) => {
            const next = event.currentTarget.value
            // Two of one name would be one: the old name stays.
            if (next !== name && isKnown(next)) event.currentTarget.value = name
            else onName(next)
          }}
        />
      }
      field={field}
      isRequired
      value={value}
      path={path}
      onValue={(next) => onValue(next ?? null)}
      onRemove={() => onValue(undefined)}
    />
  )
}

/** Returns the field for a property's name. A property that is not allowed gets one too, so that it can be seen and removed. */
function fieldOfName({ matching, others }: Extract<Field, { kind: 'object' }>, name: string): Field {
  const found = matching.find(({ pattern }) => name.length <= 200 && matches(pattern, name))
  return found?.field ?? others ?? { kind: 'any' }
}

function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name)
  } catch {
    return false
  }
}

function freeName(object: object): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? 'key' : `key${count}`
    if (!Object.hasOwn(object, name)) return name
  }
}
