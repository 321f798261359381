/** What Windows answers while a virus scanner, a search index, an editor or another program has a file open. */
const inUse: readonly unknown[] = ['EPERM', 'EACCES', 'EBUSY']

/** Whether a file could not be replaced or removed because another program has it open: soon it may be. */
export function isFileInUse(error: unknown): boolean {
  return inUse.includes((error as { code?: unknown } | undefined)?.code)
}
