import type { FileChange } from './report.ts'

/** Characters that formatters add or remove, and the directive that linters remove. */
const layout = /[\s'"`;,()|\\]+|\/\* eslint-disable \*\//g

/** Whether a file differs from the generated text in layout only: a formatter would undo generating it again. */
export function isReformatted({ before, after }: FileChange): boolean {
  if (before === undefined || after === undefined) return false
  return before.replace(layout, '') === after.replace(layout, '')
}
