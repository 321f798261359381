import fc from 'fast-check'

/** Texts that mean something to JavaScript, TypeScript, JSON, file systems or the protocol. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'name', 'x-1', 'q', '') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '__proto__',
      'constructor',
      'prototype',
      'then',
      'toString',
      'hasOwnProperty',
      '_tool',
      '_output',
      '_outputPath',
      '_instance',
      '_scopes',
      '_nope',
      '*/ globalThis.hacked = 1 /*',
      '`\u0024{globalThis.hacked = 1}`',
      "'; globalThis.hacked = 1; '",
      '"\\',
      '</script>',
      '../../etc/passwd',
      '..\\up',
      'con',
      '\u2028\u2029',
      '\ud800',
      '\0\r\n\t',
      '†state.a',
      '††a',
      '†state.a || †b && †c',
      '†state.__proto__.x',
      '☃'.repeat(300),
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
)

/** JSON with hostile texts as keys and values. Like parsed JSON, it may have an own `__proto__`. */
export const hostileJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
    hostileText,
    fc.constantFrom<unknown>(null, true, false, 0, -0, 1, -1.5, 1e308, 2 ** 53),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(hostileText, tie('value')), { maxLength: 4 }).map(asParsed),
  ),
})).value

/** The object that parsing JSON with these members would give. */
function asParsed(entries: readonly (readonly [string, unknown])[]): object {
  const object = {}
  for (const [key, value] of entries) {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  }
  return object
}
