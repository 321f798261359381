/** Escapes, groups and classes that only JavaScript reads, where escaped signs have been replaced. */
const ofJavaScript = /\\(?:[pkc]|u(?:\{|d[89a-f]))|\(\?<|\[\^?\]/i

/**
 * True if a client in Python can read a pattern. The official one compiles the patterns of an output's schema, and drops the result of
 * a Tool that has run if it cannot.
 */
export function isReadByPython(pattern: string): boolean {
  return !ofJavaScript.test(pattern.replace(/\\[^\w\s]/g, '_'))
}
