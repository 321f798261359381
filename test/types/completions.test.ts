import { afterAll, beforeAll, expect, test } from 'vitest'
import { generatedSources } from '../unit/runtime/typed/project.ts'
import { Editor } from './editor.ts'

let editor: Editor
beforeAll(() => {
  editor = new Editor(generatedSources(true), "import { Activity, calls, plan, Tool } from './index.js'")
})
afterAll(() => editor.close())

const cases: readonly [source: string, ...offered: string[]][] = [
  [`Tool({ _tool: '|' })`, 'advise', 'mail', 'weatherCheck'],
  [`Tool({ _tool: 'weatherCheck', | })`, 'location', 'days', '_outputPath'],
  [`Tool.run({ _tool: '|' })`, 'advise', 'mail', 'weatherCheck'],
  [`Tool.run({ _tool: 'weatherCheck', | })`, 'location', 'days', '_outputPath'],
  [`Tool.get('|')`, 'advise', 'mail', 'weatherCheck'],
  [`Activity.register('|')`, 'advise', 'mail', 'weatherCheck'],
  [`Tool.all([{ _tool: '|' }])`, 'advise', 'mail', 'weatherCheck'],
  [`Tool.all([{ _tool: 'weatherCheck', | }])`, 'location', 'days', '_outputPath'],
  [`Tool.any([{ _tool: 'mail', to: 'x', lines: [], count: 1 }, { _tool: 'weatherCheck', | }])`, 'location'],
  [`Tool.race([{ _tool: 'weatherCheck', | }])`, 'location', 'days'],
  [`plan([{ _tool: '|' }])`, 'advise', 'mail', 'weatherCheck'],
  [`plan([{ _tool: 'weatherCheck', | }])`, 'location', 'days', '_outputPath'],
  [`plan().step({ _tool: 'weatherCheck', | })`, 'location', 'days', '_outputPath'],
  [`Tool({ _tool: 'advise', forecast: { | } })`, 'temperature', 'conditions'],
  [`plan([{ _tool: 'advise', forecast: { | } }])`, 'temperature', 'conditions'],
  [`plan().step({ _tool: 'advise', forecast: { | } })`, 'temperature', 'conditions'],
  ['calls.weatherCheck({ | })', 'location', 'days'],
  [`calls.weatherCheck({ location: 'x' }, { _outputMethod: '|' })`, 'push'],
  ['calls.|', 'advise', 'mail', 'weatherCheck'],
]

test.each(cases)(
  'TYPE-6 an editor completes %s',
  (source, ...offered) => {
    const completions = editor.completions(source)
    expect(completions).toEqual(expect.arrayContaining(offered))
    expect(completions).not.toContain('~output')
  },
  60_000,
)
