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
 * Remembers JavaScript's own objects, such as `JSON.stringify`, and gives the function that puts back what was replaced or removed of them since.
 * Definitions run in the generator's process, which would write what they made of it into every Tool. What they added stays.
 */
export function keepIntrinsics(): () => void {
  const kept: readonly Kept[] = [
    ...names.flatMap((name) => keptOf(globalThis, name)),
    ...intrinsics().flatMap((object) => ownKeys(object).flatMap((key) => keptOf(object, key))),
  ]
  return () => restore(kept)
}

/** Uses no method and no iterator, since those may be what was replaced. */
function restore(kept: readonly Kept[]): void {
  for (let index = 0; index < kept.length; index++) {
    const { object, key, descriptor } = kept[index] as Kept
    const now = getOwnPropertyDescriptor(object, key)
    const isSame =
      now && now.value === descriptor.value && now.get === descriptor.get && now.set === descriptor.set
    // Where this fails, the property was frozen, by the same definition after it had replaced it.
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
