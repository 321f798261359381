import type { Field } from '../../form/field.ts'

type Definitions = Readonly<Record<string, Field>>

/** The most nested references: a definition that requires itself has no finite value. */
const deepest = 8

/** Returns the initial value of a control: its default, or the smallest value of its kind. */
export function initialValue(field: Field, definitions: Definitions, depth = 0): unknown {
  if (field.default !== undefined) return structuredClone(field.default)
  switch (field.kind) {
    case 'text':
      return ''
    case 'number':
      return Math.max(0, field.min ?? 0)
    case 'flag':
      return false
    case 'choice':
      return structuredClone(field.values[0])
    case 'list':
      return field.first.map((item) => initialValue(item, definitions, depth))
    case 'object':
      return initialObject(field.properties, definitions, depth)
    case 'union': {
      const [first] = field.alternatives
      return first ? initialValue(first.field, definitions, depth) : null
    }
    case 'reference': {
      const target = definitionOf(field.name, definitions)
      return target && depth < deepest ? initialValue(target, definitions, depth + 1) : null
    }
    default:
      return null
  }
}

/** Fills in only required values without a choice. */
function initialObject(
  properties: Extract<Field, { kind: 'object' }>['properties'],
  definitions: Definitions,
  depth: number,
): Record<string, unknown> {
  const made = properties.flatMap(({ name, isRequired, field }) => {
    if (!isRequired) return []
    const isDecided = field.default !== undefined || hasOneForm(field, definitions, depth)
    return isDecided ? [[name, initialValue(field, definitions, depth)] as const] : []
  })
  return Object.fromEntries(made)
}

function hasOneForm(field: Field, definitions: Definitions, depth: number): boolean {
  if (field.kind === 'choice') return field.values.length === 1
  if (field.kind === 'object' || field.kind === 'null') return true
  if (field.kind !== 'reference' || depth >= deepest) return false
  const target = definitionOf(field.name, definitions)
  return target !== undefined && hasOneForm(target, definitions, depth + 1)
}

/** Reads own properties only, since names of definitions are untrusted. */
function definitionOf(name: string, definitions: Definitions): Field | undefined {
  return Object.hasOwn(definitions, name) ? definitions[name] : undefined
}

/** Resolves the references of a field. */
export function shownField(field: Field, definitions: Definitions): Field {
  let shown = field
  for (let step = 0; shown.kind === 'reference' && step < deepest; step++) {
    const target = definitionOf(shown.name, definitions)
    if (!target) return { ...shown, kind: 'any' }
    const { kind, name, ...words } = shown
    shown = { ...target, ...words }
  }
  return shown
}
