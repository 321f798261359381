import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../../../codegen/config/load-config.ts'
import { fill, temporaryFolder } from '../write/temporary-folder.ts'

const defaults = {
  activitiesFolder: 'activities',
  definitions: ['definitions'],
  output: 'generated',
  otherOutputs: [] as string[],
  activities: undefined,
  meta: {},
  dialects: [
    { dialect: 'json-schema', mode: 'auto' },
    { dialect: 'openai', mode: 'auto' },
  ],
  importExtension: '.js',
  declarationMaps: false,
  outputPosition: 'last',
  explicitOutput: 'omit',
  references: 'auto',
  exceptions: [],
  budget: {},
}

function project(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder()
  fill(folder, { 'package.json': '{"type":"module"}', ...files })
  return folder
}

describe('the configuration', () => {
  test('is optional: definitions/ and generated/ beside package.json', async () => {
    const root = project({ 'src/deep/x.ts': '' })
    expect(await loadConfig({ cwd: root })).toMatchObject({ root, sets: [{ root, ...defaults }] })
    expect(await loadConfig({ cwd: join(root, 'src/deep') })).toMatchObject({ root })
  })

  test('is found beside package.json from a folder below, and relative to where it stands', async () => {
    const root = project({ 'callsheet.config.json': '{"output":"./out/"}', 'src/x.ts': '' })
    expect(await loadConfig({ cwd: join(root, 'src') })).toMatchObject({ root, sets: [{ output: 'out' }] })
    expect(await loadConfig({ cwd: join(root, 'src'), config: '../callsheet.config.json' })).toMatchObject({
      root,
    })
  })

  test.each(['ts', 'mts', 'js', 'mjs'])('can be a .%s module that imports others', async (extension) => {
    const root = project({
      [`callsheet.config.${extension}`]: "import { output } from './names.js'\nexport default { output }\n",
      'names.js': "export const output = 'from-module'\n",
    })
    const { sets, inputs } = await loadConfig({ cwd: root })
    expect(sets).toMatchObject([{ output: 'from-module' }])
    expect(inputs).toEqual(
      expect.arrayContaining([join(root, 'names.js'), join(root, `callsheet.config.${extension}`)]),
    )
  })

  test('fills every set from what stands beside the sets', async () => {
    const root = project({})
    const config = {
      activities: 'same-name',
      outputPosition: 'meta',
      sets: [
        { definitions: 'a', output: 'ga' },
        { definitions: ['b'], output: 'gb', outputPosition: 'last' },
      ],
    } as const
    expect((await loadConfig({ cwd: root, config })).sets).toEqual([
      {
        root,
        ...defaults,
        definitions: ['a'],
        output: 'ga',
        otherOutputs: ['gb'],
        activities: 'same-name',
        outputPosition: 'meta',
      },
      {
        root,
        ...defaults,
        definitions: ['b'],
        output: 'gb',
        otherOutputs: ['ga'],
        activities: 'same-name',
        outputPosition: 'last',
      },
    ])
  })

  const wrong: {
    title: string
    files: Record<string, string>
    config?: string
    code: string
    want: RegExp
  }[] = [
    {
      title: 'does not exist',
      files: { 'callsheet.config.ts': '' },
      config: 'calsheet.config.ts',
      code: 'invalid_usage',
      want: /calsheet\.config\.ts does not exist\. Did you mean "callsheet\.config\.ts"\?/,
    },
    {
      title: 'exists twice',
      files: { 'callsheet.config.ts': '', 'callsheet.config.json': '{}' },
      code: 'invalid_config',
      want: /2 configurations .*callsheet\.config\.ts, callsheet\.config\.json/,
    },
    {
      title: 'is not JSON',
      files: { 'callsheet.config.json': '{' },
      code: 'invalid_config',
      want: /callsheet\.config\.json is not JSON/,
    },
    {
      title: 'does not parse',
      files: { 'callsheet.config.ts': 'export default {\n  output: ,\n}' },
      code: 'invalid_config',
      want: /callsheet\.config\.ts:2/,
    },
    {
      title: 'throws',
      files: { 'callsheet.config.ts': 'throw new Error("no luck")' },
      code: 'invalid_config',
      want: /no luck/,
    },
    {
      title: 'has no default export',
      files: { 'callsheet.config.ts': 'export const config = {}' },
      code: 'invalid_config',
      want: /callsheet\.config\.ts has no default export/,
    },
    {
      title: 'has two wrong options',
      files: { 'callsheet.config.json': '{"outptu":"x","dialects":["x"]}' },
      code: 'invalid_config',
      want: /callsheet\.config\.json: Unknown option "outptu"\. Did you mean "output"\?[\s\S]*which is not a dialect/,
    },
  ]
  test.each(wrong)('that $title is an error that says so', async ({ files, config, code, want }) => {
    const options = { cwd: project(files), ...(config !== undefined && { config }) }
    await expect(loadConfig(options)).rejects.toMatchObject({ code, message: expect.stringMatching(want) })
  })

  test('a working folder that does not exist', async () => {
    await expect(loadConfig({ cwd: '/nowhere/at/all' })).rejects.toMatchObject({ code: 'invalid_usage' })
  })
})

describe('the import extension', () => {
  const cases: { title: string; files: Record<string, string>; want: string }[] = [
    { title: 'no tsconfig.json', files: {}, want: '.js' },
    {
      title: 'nodenext',
      files: { 'tsconfig.json': '{"compilerOptions":{"moduleResolution":"nodenext"}}' },
      want: '.js',
    },
    {
      title: 'bundler',
      files: { 'tsconfig.json': '{"compilerOptions":{"moduleResolution":"Bundler"}}' },
      want: '',
    },
    {
      title: '.ts allowed',
      files: { 'tsconfig.json': '{"compilerOptions":{"allowImportingTsExtensions":true}}' },
      want: '.ts',
    },
    {
      title: '.ts rewritten, with comments and trailing commas',
      files: {
        'tsconfig.json':
          '\uFEFF{ // "no": 1\n "compilerOptions": { /* , */ "rewriteRelativeImportExtensions": true, "x": "//,}", }, }',
      },
      want: '.ts',
    },
    {
      title: 'an extended file, overridden by the nearer one',
      files: {
        'tsconfig.json': '{"extends":["./base","./more.json"]}',
        'base.json':
          '{"compilerOptions":{"moduleResolution":"bundler","rewriteRelativeImportExtensions":true}}',
        'more.json':
          '{"extends":"./tsconfig.json","compilerOptions":{"rewriteRelativeImportExtensions":false}}',
      },
      want: '',
    },
    {
      title: 'an extended package',
      files: {
        'tsconfig.json': '{"extends":"@x/tsconfig/app"}',
        'node_modules/@x/tsconfig/app.json': '{"compilerOptions":{"moduleResolution":"bundler"}}',
      },
      want: '',
    },
    {
      title: 'an extended package that is not installed',
      files: { 'tsconfig.json': '{"extends":"nope/x"}' },
      want: '.js',
    },
    { title: 'a broken tsconfig.json', files: { 'tsconfig.json': '{' }, want: '.js' },
  ]
  test.each(cases)('follows $title', async ({ files, want }) => {
    expect((await loadConfig({ cwd: project(files) })).sets).toMatchObject([{ importExtension: want }])
  })

  test('is the configuration’s when it says one', async () => {
    const cwd = project({ 'tsconfig.json': '{"compilerOptions":{"moduleResolution":"bundler"}}' })
    expect((await loadConfig({ cwd, config: { importExtension: '.ts' } })).sets).toMatchObject([
      { importExtension: '.ts' },
    ])
  })
})
