import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** What people import; generated code alone imports the others. */
const entries = ['runtime/index', 'runtime/agent', 'runtime/testing', 'runtime/server', 'runtime/restate']
  .concat('runtime/temporal', 'runtime/workflow', 'codegen/index')
  .map((entry) => `${entry}.ts`)

/** The names that a file hands on, and the files that it has them from. */
function handedOn(file: string): { readonly name: string; readonly from: string }[] {
  const lists = readFileSync(file, 'utf8').matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)
  return [...lists].flatMap(([, list = '', from = '']) =>
    Array.from(list.matchAll(/(\w+)(?: as \w+)?\s*(?:,|$)/g), ([, name = '']) => ({
      name,
      from: join(dirname(file), from),
    })),
  )
}

/** Whether a doc comment stands over the declaration, or line comments between the two; undefined where it is declared elsewhere. */
function isDocumented({ name, from }: { readonly name: string; readonly from: string }): boolean | undefined {
  const declaration = new RegExp(
    `(\\*/\\n(?://.*\\n)*)?^export (?:abstract |async )*(?:const|function\\*?|class|interface|type) ${name}\\b`,
    'm',
  )
  const found = declaration.exec(readFileSync(from, 'utf8'))
  if (found) return found[1] !== undefined
  const further = handedOn(from).find((each) => each.name === name)
  return further && isDocumented(further)
}

test.each(entries)('every name that %s exports has a doc comment', (entry) => {
  const names = handedOn(entry)
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((each) => isDocumented(each) !== true)).toEqual([])
})
