/**
 * A function that returns a value or a promise of it, where the value may be a constant. In an async function whose result
 * may also not be a promise, TypeScript widens `return 'low'` to `string`, unless every possible result has the `then` of a
 * promise: such are those of the first member. It alone gives a function its context, since the compiler takes none from
 * signatures that differ in their type parameters, as those of the second do. A function has to fit only one of the two.
 *
 * No part has a name of its own, which users' declaration files could not write.
 *
 * @example const rate: ConstantFunction<[text: string], 'low' | 'high'> = async () => 'low'
 */
export type ConstantFunction<Given extends unknown[], Returned> =
  | ((...given: Given) => (Returned & Pick<Promise<Returned>, 'then'>) | Promise<Returned>)
  | {
      (...given: Given): Returned | Promise<Returned>
      <_Unused>(...given: Given): Returned | Promise<Returned>
    }
