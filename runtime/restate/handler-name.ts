/** Converts a Tool's name to a handler name of Restate: letters, digits and underscores. */
export function handlerName(tool: string): string {
  const name = tool.replaceAll(/[^A-Za-z0-9_]/g, '_')
  return /^(?:[A-Za-z]|_[A-Za-z0-9])/.test(name) ? name : `t${name}`
}
