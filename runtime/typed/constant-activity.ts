/**
 * What an Activity is read as whose output may be one of a few constants. In an async function whose result need not be a
 * promise TypeScript takes `return 'low'` for any text, unless whatever may be returned has the `then` of a promise.
 *
 * @example ConstantActivity<() => 'low' | Promise<'low'>> // reads `async () => 'low'` as `() => Promise<'low'>`
 */
export type ConstantActivity<Activity> = Activity extends (...given: infer Given) => infer Returned
  ? (...given: Given) => Eventual<Awaited<Returned>>
  : never

type Eventual<Value> = (Value & Pick<Promise<Value>, 'then'>) | Promise<Value>
