/**
 * Tells a listener that somebody gave as an option. What it throws, or its promise rejects with, goes to the console and
 * changes nothing: what it was told of has happened, whoever heard of it.
 *
 * @param option The option's name, for the console.
 */
export function tellListener<Data extends readonly unknown[]>(
  option: string,
  listener: ((...data: Data) => void) | undefined,
  ...data: Data
): void {
  const failed = (error: unknown): void => console.error(`callsheet: \`${option}\` threw.`, error)
  try {
    const result: unknown = listener?.(...data)
    if (result instanceof Promise) result.catch(failed)
  } catch (error) {
    failed(error)
  }
}
