import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { configFaults } from '../../../../codegen/config/config-rules.ts'
import { temporaryFolder } from '../write/temporary-folder.ts'

const root = '/project'

function messages(config: unknown): string[] {
  return configFaults(config, root).map((fault) => fault.message)
}

describe('the configuration’s rules', () => {
  const right: { title: string; config: unknown }[] = [
    { title: 'nothing said', config: {} },
    { title: 'one folder', config: { definitions: 'tools', output: 'src/generated' } },
    { title: 'an option that is undefined', config: { output: undefined } },
    {
      title: 'dialects by name and with mode',
      config: { dialects: ['openai', { dialect: 'gemini', mode: 'native' }] },
    },
    { title: 'no extension', config: { importExtension: '' } },
    {
      title: 'two sets',
      config: {
        dialects: ['openai'],
        sets: [
          { definitions: 'a/tools', output: 'a/generated' },
          { definitions: 'b/tools', output: 'b/generated', dialects: [] },
        ],
      },
    },
    { title: 'output in another package', config: { output: '../agent/generated' } },
  ]
  test.each(right)('take $title', ({ config }) => {
    expect(messages(config)).toEqual([])
  })

  const wrong: { config: unknown; want: string }[] = [
    { config: undefined, want: 'The configuration has to be an object, got undefined.' },
    { config: () => ({}), want: 'The configuration has to be an object, got a function.' },
    { config: Promise.resolve({}), want: 'The configuration has to be an object, got Promise {}.' },
    { config: { ouput: 'x' }, want: 'Unknown option "ouput". Did you mean "output"?' },
    { config: { constructor: 'x' }, want: 'Unknown option "constructor".' },
    {
      config: { definitions: [] },
      want: 'Option "definitions" has to be a relative path or a list of them, got [].',
    },
    {
      config: { definitions: '/tools' },
      want: 'Option "definitions" has to be a relative path or a list of them, got "/tools".',
    },
    { config: { output: 7 }, want: 'Option "output" has to be the relative path of a folder, got 7.' },
    {
      config: { meta: { _instance: new Map() } },
      want: 'Option "meta" has to be an object of _outputPath, _instance, _scopes, _delegate, each true, a string, a list of strings or a schema; or a list of those, with "tools" for the names, got {"_instance":Map {}}.',
    },
    { config: { output: '.' }, want: 'Option "output" is ".", which contains the project itself.' },
    { config: { output: '..' }, want: 'Option "output" is "..", which contains the project itself.' },
    {
      config: { output: 'definitions/generated' },
      want: 'Option "output" is "definitions/generated", which overlaps with the definitions in "definitions".',
    },
    ...[{ output: 'activities' }, { activitiesFolder: 'generated/activities' }].map((config) => ({
      config,
      want: `Option "output" is "${config.output ?? 'generated'}", which contains the folder of the Activities.`,
    })),
    {
      config: { activities: true },
      want: 'Option "activities" has to be "same-name" or a list of Tool names, got true.',
    },
    {
      config: { dialects: ['opnai'] },
      want: 'Option "dialects[0]" is "opnai", which is not a dialect. Did you mean "openai"?',
    },
    { config: { dialects: ['openai', 'openai'] }, want: 'Option "dialects[1]" names openai a second time.' },
    {
      config: { dialects: [{ dialect: 'openai', mode: 'strict' }] },
      want: 'Option "dialects[0].mode" has to be one of "auto", "composed", "native", got "strict".',
    },
    {
      config: { dialects: [{ dialect: 'openai', modes: 'auto' }] },
      want: 'Unknown option "dialects[0].modes". Did you mean "mode"?',
    },
    {
      config: { importExtension: 'js' },
      want: 'Option "importExtension" has to be one of ".js", ".ts", "", got "js".',
    },
    {
      config: { declarationMaps: 'yes' },
      want: 'Option "declarationMaps" has to be true or false, got "yes".',
    },
    { config: { sets: {} }, want: 'Option "sets" has to be a list of at least one set, got {}.' },
    { config: { sets: [null] }, want: 'Option "sets[0]" has to be an object, got null.' },
    {
      config: { sets: [{ definitions: 'a' }] },
      want: 'Option "sets[0].output" is missing: with several sets, each needs its own.',
    },
    {
      config: { output: 'x', sets: [{ definitions: 'a', output: 'b' }] },
      want: 'Option "output" is next to "sets", where it would apply to all sets or to none.',
    },
    {
      config: {
        sets: [
          { definitions: 'a', output: 'g' },
          { definitions: 'b', output: 'g/b' },
        ],
      },
      want: 'Option "sets[1].output" is "g/b", which overlaps with the output of sets[0].',
    },
    {
      config: {
        sets: [
          { definitions: 'a', output: 'b/g' },
          { definitions: 'b', output: 'g' },
        ],
      },
      want: 'Option "sets[0].output" is "b/g", which overlaps with the definitions in "b".',
    },
    {
      config: { sets: [{ definitions: 'a', output: 'g' }, { definitions: 'b' }] },
      want: 'Option "sets[1].output" is missing: with several sets, each needs its own.',
    },
  ]
  test.each(wrong)('refuse $config', ({ config, want }) => {
    expect(messages(config)).toEqual([want])
  })

  test.each([
    ['definitions', 'Option "output" is "out/deep", which overlaps with the definitions in "definitions".'],
    ['.', 'Option "output" is "out/deep", which contains the project itself.'],
  ])('refuse an output that a link leads to %s', (target, want) => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'definitions/deep'), { recursive: true })
    mkdirSync(join(root, 'out'))
    symlinkSync(join(root, target), join(root, 'out/deep'), 'junction')
    expect(configFaults({ output: 'out/deep' }, root).map(({ message }) => message)).toEqual([want])
  })

  test('report every fault at once', () => {
    expect(messages({ outptu: 'x', dialects: ['nope'], explicitOutput: 1 })).toHaveLength(3)
  })
})
