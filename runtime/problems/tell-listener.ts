/**
 * Calls a listener that was passed as an option. An exception or a rejected promise of the listener is logged to the console and
 * changes nothing: the event has already happened.
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
