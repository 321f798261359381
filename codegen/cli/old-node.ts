/** The oldest version of Node that runs Callsheet, as `engines` of package.json says. */
const oldest = [20, 19] as const

/** Returns what to say where Node is too old, which npm only warns of; undefined where it is not. */
export function oldNode(version: string): { message: string; fix: string } | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined
  return {
    message: `callsheet needs Node ${oldest.join('.')} or later, and this is Node ${version}.`,
    fix: 'Install a newer Node, or choose one that is installed: nvm use 24.',
  }
}
