import { expect, test } from 'vitest'
import { buildModel } from '../../../../codegen/build/build-model.ts'
import { checkModel } from '../../../../codegen/check/check-model.ts'
import { sortFindings } from '../../../../codegen/findings/finding-text.ts'
import { loadDefinitions } from '../../../../codegen/load/load-definitions.ts'
import { project, typebox } from '../load/project.ts'

const tool = (name: string, more = '') =>
  `export const ${name.replace('.', '_')} = Type.Object({\n  _tool: Type.Literal('${name}'),\n  _output: Type.Null(),\n${more}}, { description: 'D' })\n`

test('GEN-4 the wrong inputs of every phase are reported in one run, each with its place', async () => {
  const root = project({
    'definitions/a-throws.ts': "throw new Error('boom')",
    'definitions/b-unparsed.ts': 'export const = 1',
    'definitions/c-nothing.ts': 'export {}',
    'definitions/d-first.ts': typebox + tool('twice'),
    'definitions/e-second.ts': typebox + tool('twice'),
    'definitions/f-misspelt.ts': typebox + tool('misspelt', '  _ouputPath: Type.String(),\n'),
    'definitions/g-kind.ts': typebox + tool('kind', '  big: Type.BigInt(),\n'),
    'definitions/h-ref.ts': typebox + tool('ref', "  to: Type.Ref('Nowhere'),\n"),
    'definitions/i-case.ts': typebox + tool('Kit.a') + tool('kit__A'),
    'definitions/j-good.ts': typebox + tool('good'),
  })
  const { definitions, findings } = await loadDefinitions({ root, definitions: ['definitions'] })
  const built = buildModel(definitions)
  const all = sortFindings([...findings, ...built.findings, ...checkModel(built.model, definitions)])
  expect(all.map(({ rule, at }) => `${at?.file}:${at?.line}:${at?.column} ${rule}`)).toEqual([
    'definitions/a-throws.ts:1:7 definition-throws',
    'definitions/b-unparsed.ts:1:14 unreadable-file',
    'definitions/c-nothing.ts:1:1 exports-nothing',
    'definitions/d-first.ts:2:14 duplicate-name',
    'definitions/e-second.ts:2:14 duplicate-name',
    'definitions/f-misspelt.ts:5:3 unknown-meta-field',
    'definitions/g-kind.ts:5:3 not-json-kind',
    'definitions/h-ref.ts:5:3 missing-reference',
    'definitions/i-case.ts:2:14 name-collision',
    'definitions/i-case.ts:6:14 name-collision',
  ])
  expect(
    all.every(({ severity, message, fix }) => severity === 'error' && message !== '' && fix !== ''),
  ).toBe(true)
})
