/** The error codes of Windows for a file that a virus scanner, a search index, an editor or another program has open. */
const inUse: readonly unknown[] = ['EPERM', 'EACCES', 'EBUSY']

/** True if a file could not be replaced or removed because another program has it open; trying again may succeed. */
export function isFileInUse(error: unknown): boolean {
  return inUse.includes((error as { code?: unknown } | undefined)?.code)
}
