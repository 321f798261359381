import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { typeCheck } from '../types/compilers.ts'
import { root } from './doc-examples.ts'
import { blocksOf, type PageSetting, pageProject } from './page-project.ts'

/** `docs/interop` is compiled and run with the real packages by `npm run interop`. */
const pages = [
  'README.md',
  ...readdirSync(`${root}docs`)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`),
].filter((page) => blocksOf(page).length > 0)

/** The sources of `examples/monorepo` that a page refers to. */
function example(folder: string): Record<string, string> {
  const paths = readdirSync(`${root}examples/monorepo/${folder}`, { recursive: true, encoding: 'utf8' })
  return Object.fromEntries(
    paths
      .filter((path) => path.endsWith('.ts'))
      .map((path) => [
        `${folder}/${path}`,
        readFileSync(`${root}examples/monorepo/${folder}/${path}`, 'utf8'),
      ]),
  )
}

/** Files and imports that the blocks of a page need and do not show. */
const settings: Readonly<Record<string, PageSetting>> = {
  'docs/monorepo.md': {
    files: {
      ...example('contracts/generated'),
      ...example('worker/src/activities'),
      // A dependency of the worker, installed only there.
      'geolib.d.ts': "declare module 'geolib'\n",
    },
  },
  'docs/requests.md': {
    files: { 'definitions/summarise.idea.json': fenced('docs/requests.md', 'json', '"Summarises a text."') },
  },
  'docs/specification.md': {
    preludes: {
      'weather.get': `declare const weather: { get(place: string, options: { signal: AbortSignal }): Promise<{ temp: number; desc: string }> }`,
      'Tool.race([a, b])': `import { Tool, type WeatherCheckCall } from './generated/index.js'; import type { Message } from 'callsheet'; declare const call: WeatherCheckCall, a: WeatherCheckCall, b: WeatherCheckCall, context: Message[], signal: AbortSignal`,
      'createRegistry({ tools, ideas, policy })': `import { type Call, createRegistry, type Message, type RegistryOptions } from 'callsheet'; import { tools } from './generated/index.js'; declare const ideas: NonNullable<RegistryOptions['ideas']>, policy: NonNullable<RegistryOptions['policy']>, context: Message[], call: Call`,
    },
  },
  'docs/toolkits.md': {
    files: {
      'definitions/text.ts': fenced('docs/toolkits.md', 'ts run', 'toolkit(').split('\nconst {')[0] ?? '',
    },
  },
  'docs/validation.md': {
    preludes: {
      'isClosed(v, call$1)': `import { generatedChecks, isClosed, record } from 'callsheet/checks'; declare const WeatherCheckSchema: string`,
    },
  },
}

/** Finds the block of a page that contains a text. */
function fenced(page: string, language: string, part: string): string {
  const blocks = readFileSync(root + page, 'utf8').matchAll(
    new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'),
  )
  const found = [...blocks].map(([, code = '']) => code).find((code) => code.includes(part))
  if (found === undefined) throw new Error(`${page}: no ${language} block contains ${part}`)
  return found
}

const weather = {
  'definitions/weather.ts':
    blocksOf('README.md').find(({ path }) => path === 'definitions/weather.ts')?.code ?? '',
}
const activities = blocksOf('README.md').find(({ path }) => path === 'activities.ts')?.code ?? ''

/** Matches imports of packages that `npm ci` does not install: the OpenAPI client, which `npm run interop` runs, and the durable engines. */
const installedApart = /^import .* from '(?:openapi-fetch|@restatedev\/[\w-]+|@temporalio\/[\w-]+)'$/m

/** A file with an error that the test must find, so that it cannot pass by compiling nothing. */
const wrong =
  "import { Tool } from '../README.md/generated/index.js'\nawait Tool({ _tool: 'weatherCheck', place: 'x' })\n"

test('every TypeScript block of README.md and docs/ compiles', async () => {
  const sources: Record<string, string> = { 'wrong/wrong.ts': wrong }
  for (const page of pages) {
    const project = await pageProject(page, settings[page] ?? {}, { ...weather, 'activities.ts': activities })
    for (const [path, text] of Object.entries(project)) {
      if (!installedApart.test(text)) sources[`${page}/${path}`] = text
    }
  }
  const paths = {
    '@delivery/contracts': ['./docs/monorepo.md/contracts/generated/index.ts'],
    '@acme/contract': ['./README.md/generated/index.ts'],
  }
  const found = typeCheck('7.0', sources, { types: ['node'], paths })
  expect(found.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
    "wrong/wrong.ts:2 Object literal may only specify known properties, and 'place' does not exist in type 'WeatherCheckCall'.",
  ])
}, 120_000)
