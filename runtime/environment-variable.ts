/** Reads a variable of `process.env`; undefined in edge runtimes, which have no `process`. */
export function environmentVariable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return process?.env?.[name] || undefined
}
