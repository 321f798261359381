/** Escapes, groups and classes that only JavaScript reads, where escaped signs have been replaced. */
const ofJavaScript = /\\(?:[pkc]|u(?:\{|d[89a-f]))|\(\?<|\[\^?\]/i

/** What takes less in Python, for which letters and digits of every script are `\w` and `\d`. */
const takesLess = /\\[WDBb]|\[\^[^\]]*\\[wd]/

/**
 * True if a client in Python can read a pattern, and then accepts all that JavaScript does. The official one compiles the patterns of
 * an output's schema, and drops the result of a Tool that has run if it cannot, or if the result does not match.
 */
export function isReadByPython(pattern: string): boolean {
  const plain = pattern.replace(/\\[^\w\s]/g, '_')
  return !ofJavaScript.test(plain) && !takesLess.test(plain)
}
