import fc from 'fast-check'
import ts from 'typescript-6.0'
import { expect, test } from 'vitest'
import { buildModel } from '../../codegen/build/build-model.ts'
import { checkModel } from '../../codegen/check/check-model.ts'
import { emitDialects } from '../../codegen/emit/dialects.ts'
import { emit } from '../../codegen/emit/emit.ts'
import { hasError } from '../../codegen/findings/has-error.ts'
import type { GeneratedFile, LoadedDefinition } from '../../codegen/model.ts'
import { define } from '../unit/codegen/build/define.ts'
import { settings } from '../unit/codegen/print/sample-model.ts'
import { fuzz } from './campaign.ts'
import { hostileText } from './hostile-json.ts'
import { hostileSchema } from './hostile-schema.ts'

/** The phases between loading and writing. */
function generated(definitions: readonly LoadedDefinition[]) {
  const built = buildModel(definitions)
  const findings = [...built.findings, ...checkModel(built.model, definitions)]
  if (hasError(findings)) return { findings, files: [] }
  const dialects = emitDialects(built.model, settings)
  return {
    findings: [...findings, ...dialects.flatMap((dialect) => dialect.findings)],
    files: emit(built.model, settings, dialects),
  }
}

const toolName = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('find', 'get_user', 'getUser', 'Kit.bold', 'delete', 'toString') },
  { weight: 1, arbitrary: hostileText },
)

const plain = fc.constantFrom<unknown>(
  { type: 'string' },
  { type: 'integer', minimum: 0 },
  { enum: ['a', null] },
  {
    type: 'array',
    items: { type: 'object', properties: { n: { type: 'number' } } },
  },
)
const property = fc.oneof({ weight: 2, arbitrary: plain }, { weight: 1, arbitrary: hostileSchema })
const propertyName = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'odd key', '_output') },
  { weight: 1, arbitrary: hostileText },
)

const declared = fc.record({
  name: toolName,
  properties: fc.dictionary(propertyName, property, { maxKeys: 3, noNullPrototype: true }),
  extras: fc.oneof({ weight: 4, arbitrary: fc.record({ description: hostileText }) }, hostileSchema),
})

let whole = 0
let refused = 0

fuzz(
  'GEN-2, GEN-4 any definitions: findings with a cure, or whole files; the same for the same input',
  60,
  fc.array(declared, { minLength: 1, maxLength: 3 }),
  (tools) => {
    const definitions = tools.map(({ name, properties, extras }) =>
      define(name, {
        type: 'object',
        ...(typeof extras === 'object' && extras),
        properties: { _tool: { const: name }, ...properties },
        required: ['_tool'],
      }),
    )
    const { findings, files } = generated(definitions)
    expect(generated(definitions)).toEqual({ findings, files })
    for (const { message, fix, rule } of findings) {
      expect([message, fix, rule].every((text) => text.length > 0)).toBe(true)
      expect(message).not.toMatch(/undefined is not|Cannot read|is not a function|\[object Object\]/)
    }
    if (files.length === 0) refused++
    else whole++
    const reordered = generated(definitions.toReversed())
    expect(reordered.files).toEqual(files)
    for (const file of files) isWhole(file)
  },
)

test('the definitions tried above are of both kinds', () => {
  expect({ whole: whole > 5, refused: refused > 5 }).toEqual({ whole: true, refused: true })
})

function isWhole({ path, text }: GeneratedFile): void {
  expect(path).toMatch(/^(?:[\w-]+\/)*[\w.-]+$/)
  expect(path).not.toContain('..')
  if (path.endsWith('.json')) expect(() => JSON.parse(text)).not.toThrow()
  else expect(syntaxErrors(text), path).toEqual([])
}

function syntaxErrors(text: string): string[] {
  const { diagnostics = [] } = ts.transpileModule(text, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2023 },
  })
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}
