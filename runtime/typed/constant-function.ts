/**
 * A function that returns a value or a promise of it, where the value may be a constant. In an async function whose result
 * may also not be a promise, TypeScript widens `return 'low'` to `string`, unless every possible result has the `then` of a
 * promise: such are those of the first member, which alone gives a function its context. It has to fit only one of the two.
 *
 * @example const rate: ConstantFunction<[text: string], 'low' | 'high'> = async () => 'low'
 */
export type ConstantFunction<Given extends unknown[], Returned> =
  | ((...given: Given) => Eventual<Returned>)
  | WithoutContext<Given, Returned>

type Eventual<Value> = (Value & Pick<Promise<Value>, 'then'>) | Promise<Value>

/** The compiler takes no context from signatures that differ in their type parameters. */
interface WithoutContext<Given extends unknown[], Returned> {
  (...given: Given): Returned | Promise<Returned>
  // biome-ignore lint/correctness/noUnusedVariables: the difference
  <Unused>(...given: Given): Returned | Promise<Returned>
}
