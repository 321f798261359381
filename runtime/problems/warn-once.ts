/** What has been warned of in this process. */
const warned = new Set<string>()

/**
 * Warns of what is probably not meant, once per code and subject: through `process.emitWarning` where there is a process,
 * so that `node --disable-warning=<code>` silences it, and on the console elsewhere.
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
