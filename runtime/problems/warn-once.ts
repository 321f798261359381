/** Code and subject of each warning already emitted in this process. */
const warned = new Set<string>()

/**
 * Warns of a probable mistake, once per code and subject: through `process.emitWarning` if there is a process, so that
 * `node --disable-warning=<code>` silences it, otherwise on the console.
 */
export function warnOnce(code: string, subject: string, message: string): void {
  const key = `${code} ${subject}`
  if (warned.has(key)) return
  warned.add(key)
  const { process } = globalThis as { process?: { emitWarning?: EmitWarning } }
  if (typeof process?.emitWarning === 'function') {
    process.emitWarning(message, { type: 'CallsheetWarning', code })
  } else console.warn(`callsheet: [${code}] ${message}`)
}

type EmitWarning = (message: string, options: { type: string; code: string }) => void
