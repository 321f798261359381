import type { FileChange } from './report.ts'

/** What formatters put in and leave out, and the directive that a linter's fixes remove. */
const layout = /[\s'"`;,()|\\]+|\/\* eslint-disable \*\//g

/** True for a file that differs from what was generated in its layout alone: generating again would not last. */
export function isReformatted({ before, after }: FileChange): boolean {
  if (before === undefined || after === undefined) return false
  return before.replace(layout, '') === after.replace(layout, '')
}
