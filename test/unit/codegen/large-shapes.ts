import { tool } from '../../../runtime/schema/tool.ts'
import { define } from './build/define.ts'

/** Tools of any size: how their definitions refer to each other, and what they repeat. */
export const largeShapes: Readonly<Record<string, (size: number) => ReturnType<typeof define>[]>> = {
  'a circle': (size) => one(ref(0), size, (index) => object({ next: ref((index + 1) % size), text })),
  'a chain': (size) =>
    one(ref(0), size, (index) => (index === size - 1 ? text : object({ next: ref(index + 1) }))),
  'a chain of bare references': (size) =>
    one(ref(0), size, (index) => (index === size - 1 ? text : ref(index + 1))),
  'definitions used twice': (size) =>
    one(ref(0), size, (index) =>
      index >= size - 2 ? text : object({ a: ref(index + 1), b: ref(index + 2) }),
    ),
  'alternatives used twice': (size) =>
    one(ref(0), size, (index) =>
      index >= size - 2 ? text : { anyOf: [object({ a: ref(index + 1) }), object({ b: ref(index + 2) })] },
    ),
  'a star': (size) => one(object(each(size, ref)), size, (index) => object({ value: least(index) })),
  'a union of definitions': (size) =>
    one({ anyOf: Object.values(each(size, ref)) }, size, (index) => ({
      ...object({ kind: { const: `k${index}` }, value: text }),
      required: ['kind'],
    })),
  'Tools over definitions that they share': (size) => {
    const shared = Object.values(
      each(size, (index) => ({ $id: `S${index}`, ...object({ value: least(index) }) })),
    )
    return shared.map((schema, index) =>
      define(`t${index}`, tool(`t${index}`, { a: schema, b: shared[(index + 1) % size] ?? schema })),
    )
  },
  'parts of allOf': (size) =>
    one({ allOf: Object.values(each(size, (index) => object({ [`p${index}`]: text }))) }),
  'alternatives without a tag': (size) =>
    one({
      anyOf: Object.values(
        each(size, (index) => ({ ...object({ [`p${index}`]: text }), required: [`p${index}`] })),
      ),
    }),
  properties: (size) => one(object(each(size, () => text))),
  'values of an enum': (size) => one({ enum: Object.values(each(size * 20, (index) => `v${index}`)) }),
  'dependent schemas': (size) =>
    one({
      ...object(each(size, () => text)),
      dependentSchemas: each(size, (index) => ({ required: [`p${index + 1}`] })),
    }),
}

const text = { type: 'string' }

function ref(index: number): object {
  return { $ref: `#/$defs/p${index}` }
}

function object(properties: object): object {
  return { type: 'object', properties }
}

function least(minimum: number): object {
  return { type: 'integer', minimum }
}

function each<Item>(size: number, make: (index: number) => Item): Record<string, Item> {
  return Object.fromEntries(Array.from({ length: size }, (_, index) => [`p${index}`, make(index)]))
}

/** One Tool with one parameter, and its definitions. */
function one(value: object, size = 0, definition: (index: number) => object = () => ({})) {
  const schema = tool('large', { value })
  return [define('large', size === 0 ? schema : { ...schema, $defs: each(size, definition) })]
}
