/** The older name of `_delegate`, accepted in schemas and Calls (TOOL-2). */
export const olderDelegateName = '_module'
