const { defineProperty, getOwnPropertyDescriptor, ownKeys } = Reflect

const names = [
  ...[
    'Object',
    'Function',
    'Array',
    'String',
    'Number',
    'Boolean',
    'Symbol',
    'BigInt',
    'Date',
    'RegExp',
    'Math',
    'JSON',
  ],
  ...[
    'Map',
    'Set',
    'WeakMap',
    'WeakSet',
    'WeakRef',
    'Promise',
    'Proxy',
    'Reflect',
    'Error',
    'TypeError',
    'RangeError',
  ],
  ...[
    'SyntaxError',
    'ReferenceError',
    'AggregateError',
    'Uint8Array',
    'ArrayBuffer',
    'URL',
    'TextEncoder',
    'TextDecoder',
  ],
]

interface Kept {
  readonly object: object
  readonly key: PropertyKey
  readonly descriptor: PropertyDescriptor
}

/**
 * Records JavaScript's built-in objects, such as `JSON.stringify`, and returns a function that restores those that were replaced or
 * removed since. Definitions run in the generator's process, so a replaced built-in would affect every Tool. Additions stay.
 */
export function keepIntrinsics(): () => void {
  const kept: readonly Kept[] = [
    ...names.flatMap((name) => keptOf(globalThis, name)),
    ...intrinsics().flatMap((object) => ownKeys(object).flatMap((key) => keptOf(object, key))),
  ]
  return () => restore(kept)
}

/** Uses no method and no iterator, since these may be the replaced ones. */
function restore(kept: readonly Kept[]): void {
  for (let index = 0; index < kept.length; index++) {
    const { object, key, descriptor } = kept[index] as Kept
    const now = getOwnPropertyDescriptor(object, key)
    const isSame =
      now && now.value === descriptor.value && now.get === descriptor.get && now.set === descriptor.set
    // This fails if the definition froze the property after replacing it.
    if (!isSame) defineProperty(object, key, descriptor)
  }
}

function intrinsics(): object[] {
  const iterators = [
    [].values(),
    new Map().values(),
    new Set().values(),
    ''.matchAll(/x/g),
    ''[Symbol.iterator](),
  ]
  const found = names.map((name) => Reflect.get(globalThis, name) as object)
  const prototypes = found.map((object) => Reflect.get(object, 'prototype') as unknown)
  const all = [
    ...found,
    ...prototypes,
    ...iterators.map((iterator) => Object.getPrototypeOf(iterator) as unknown),
  ]
  return all.filter(
    (object) => (typeof object === 'object' && object !== null) || typeof object === 'function',
  ) as object[]
}

function keptOf(object: object, key: PropertyKey): Kept[] {
  const descriptor = getOwnPropertyDescriptor(object, key)
  return descriptor ? [{ object, key, descriptor }] : []
}
