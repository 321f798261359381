/**
 * Tells a listener that somebody gave as an option. What it throws goes to the console and changes nothing: the answer
 * is there and paid for, whoever was told of it.
 */
export function tellListener<Data extends readonly unknown[]>(
  option: string,
  listener: ((...data: Data) => void) | undefined,
  ...data: Data
): void {
  try {
    listener?.(...data)
  } catch (error) {
    console.error(`callsheet: \`${option}\` threw.`, error)
  }
}
