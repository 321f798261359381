/**
 * The contextual type of an Activity whose output may be a literal. In an async function whose result may also not be a
 * promise, TypeScript widens `return 'low'` to `string`, unless every possible result has the `then` of a promise.
 *
 * @example ConstantActivity<() => 'low' | Promise<'low'>> // reads `async () => 'low'` as `() => Promise<'low'>`
 */
export type ConstantActivity<Activity> = Activity extends (...given: infer Given) => infer Returned
  ? (...given: Given) => Eventual<Awaited<Returned>>
  : never

type Eventual<Value> = (Value & Pick<Promise<Value>, 'then'>) | Promise<Value>
