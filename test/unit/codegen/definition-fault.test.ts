import { expect, test } from 'vitest'
import { buildModel } from '../../../codegen/build/build-model.ts'
import { checkModel } from '../../../codegen/check/check-model.ts'
import { faultReport } from '../../../codegen/cli/fault-report.ts'
import { namingDefinitions } from '../../../codegen/definition-fault.ts'
import { GeneratorError } from '../../../codegen/generator-error.ts'
import { tool } from '../../../runtime/index.ts'
import { define } from './build/define.ts'

/** Without a description it gets a note, for which its place in the source is looked up. */
const lost = {
  ...define('lost', tool('lost', {})),
  locate: (): never => {
    throw new TypeError('There is no such place')
  },
}
const definitions = [define('before', tool('before', {})), lost, define('later', tool('later', {}))]

test('GEN-4, CALL-12 an error that nobody expected names the definition that causes it', () => {
  const { model } = buildModel(definitions)
  const check = (): unknown =>
    namingDefinitions(model.tools, (tools) => checkModel({ ...model, tools }, definitions))
  expect(check).toThrow(
    /^Callsheet itself failed on "lost" \(\S+:\d+:\d+\): TypeError: There is no such place$/,
  )
  const said: string[] = []
  const terminal = { out: () => {}, err: (text: string) => said.push(text), colours: false }
  try {
    check()
  } catch (error) {
    faultReport(error, undefined, terminal as never)
  }
  expect(said.join('')).toMatch(
    /"lost" .*no such place; please report this with that definition\.\nTypeError[\s\S]* at /,
  )
})

test('an error that says what to do is not blamed on a definition', () => {
  const wrong = new GeneratorError('cannot_read', [{ message: 'It is gone.', fix: 'Look for it.' }])
  const phase = (): never => {
    throw wrong
  }
  expect(() => namingDefinitions(definitions, phase)).toThrow(wrong)
})
