import { expect, test } from 'vitest'
import { linkProblem } from '../../../../codegen/load/link-problem.ts'

const table = [
  {
    sentence: 'Type is looked for in typebox',
    from: 'callsheet',
    name: 'Type',
    want: "Import it from 'typebox'.",
  },
  {
    sentence: 'defineConfig is looked for in its own entry',
    from: 'callsheet',
    name: 'defineConfig',
    want: "Import it from 'callsheet/codegen'.",
  },
  {
    sentence: 'a name of another package is not known',
    from: 'typebox',
    name: 'tool',
    want: 'Correct the imported name, or install a version of the package that has it.',
  },
]

for (const { sentence, from, name, want } of table) {
  test(`GEN-4 of an import that its module does not have, ${sentence}`, () => {
    const error = new SyntaxError(`The requested module '${from}' does not provide an export named '${name}'`)
    expect(linkProblem(error, [], {}).fix).toBe(want)
  })
}
