import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addToPackage } from '../../../../codegen/init/add-to-package.ts'
import { callsheet } from '../cli/in-terminal.ts'
import { contents, fill, temporaryFolder } from '../write/temporary-folder.ts'

const repository = join(import.meta.dirname, '../../../..')

/** What `npm install` would do, offline: links to what this repository has. */
function install(folder: string, more: Readonly<Record<string, string>> = {}): void {
  const links = {
    callsheet: repository,
    ...Object.fromEntries(
      ['typebox', '@types/node', 'undici-types'].map((name) => [
        name,
        join(repository, 'node_modules', name),
      ]),
    ),
    ...more,
  }
  for (const [name, target] of Object.entries(links)) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(target, link, 'junction')
  }
}

function run(folder: string, args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  return stdout + stderr
}

/** Runs the steps that init prints for a workflow, all but the installation. */
async function expectCiToPass(folder: string, printed: string): Promise<void> {
  const steps = [...printed.matchAll(/^ +- run: (.+)$/gm)].map(([, step = '']) => step)
  expect(steps[0]).toBe('npm ci')
  expect(steps.length).toBeGreaterThan(3)
  for (const step of steps.slice(1)) {
    const [program = '', ...args] = step.split(' ')
    const { code, text } =
      program === 'npx'
        ? await callsheet(folder, args.slice(1)).then(({ code, out, err }) => ({ code, text: out + err }))
        : runScript(folder, args[1] ?? '')
    expect({ step, code, text: code === 0 ? '' : text }).toEqual({ step, code: 0, text: '' })
  }
}

function runScript(folder: string, script: string): { code: number | null; text: string } {
  const { scripts } = JSON.parse(contents(folder)['package.json'] ?? '')
  const [, ...args] = String(scripts[script]).split(' ')
  expect(scripts[script]).toMatch(/^tsc\b/)
  const { status, stdout } = spawnSync(process.execPath, [tsc, ...args], { cwd: folder, encoding: 'utf8' })
  return { code: status, text: stdout }
}

const tsc = join(repository, 'node_modules/typescript/bin/tsc')
const own = (folder: string) =>
  Object.fromEntries(Object.entries(contents(folder)).filter(([path]) => !path.startsWith('node_modules/')))

describe.skipIf(!existsSync(join(repository, 'dist/index.js')))(
  'callsheet init, end to end on the built package',
  () => {
    test('a single package generates, type-checks and runs', async () => {
      const folder = temporaryFolder()
      const { code, out, err } = await callsheet(folder, ['init', '--kind', 'single'])
      expect({ code, out: out.split('\n').sort().join(' ') }).toEqual({
        code: 0,
        out: ' activities/weatherCheck.ts callsheet.config.ts definitions/weather.ts main.ts package.json tsconfig.json',
      })
      install(folder)
      expect(await callsheet(folder, ['generate'])).toMatchObject({
        code: 0,
        err: expect.stringContaining('1 of 1 Activity registered.'),
      })
      expect(run(folder, [tsc])).toBe('')
      expect(run(folder, ['dist/main.js'])).toBe("{ temperature: 14, conditions: 'cloudy' }\n")
      await expectCiToPass(folder, err)
    })

    test.each(['module', 'commonjs'])(
      'compiler options of another program, which emit nothing: the example of a %s package runs',
      async (type) => {
        const folder = temporaryFolder()
        fill(folder, {
          // As `bun init` and Vite write them.
          'tsconfig.json':
            '{ "compilerOptions": { "module": "preserve", "noEmit": true, "allowImportingTsExtensions": true } }',
          'package.json': JSON.stringify({ type, scripts: { start: 'vite' } }),
        })
        const { err } = await callsheet(folder, ['init', '--yes'])
        install(folder)
        expect((await callsheet(folder, ['generate'])).code).toBe(0)
        const [, start = ''] = /^ {2}npx (esbuild .*)$/m.exec(err) ?? []
        const [bundle = '', program] = start.split(' && node ')
        const esbuild = join(repository, 'node_modules/esbuild/bin/esbuild')
        spawnSync(esbuild, bundle.split(' ').slice(1), { cwd: folder })
        expect(run(folder, [program ?? ''])).toBe("{ temperature: 14, conditions: 'cloudy' }\n")
      },
    )

    test.each([
      { title: 'says that it is CommonJS, as `npm init` writes it', text: '{ "type": "commonjs" }' },
      { title: 'does not say what it is', text: '{ "name": "old" }' },
    ])('a package that $title stays what it is, and runs', async ({ text }) => {
      const folder = temporaryFolder()
      fill(folder, { 'package.json': text })
      await callsheet(folder, ['init', '--yes'])
      expect(JSON.parse(contents(folder)['package.json'] ?? '').type).toBe(JSON.parse(text).type)
      install(folder)
      expect((await callsheet(folder, ['generate'])).code).toBe(0)
      expect(run(folder, [tsc])).toBe('')
      expect(run(folder, ['dist/main.js'])).toBe("{ temperature: 14, conditions: 'cloudy' }\n")
      expect((await callsheet(folder, ['init', '--yes'])).err).toContain('Nothing was changed.')
    })

    test('a monorepo generates, builds with project references, and runs in worker and agent', async () => {
      const folder = temporaryFolder()
      const { err } = await callsheet(folder, ['init', '--kind', 'monorepo'])
      const { name } = JSON.parse(contents(folder)['package.json'] ?? '')
      install(folder, { [`${name}-contract`]: join(folder, 'packages/contract') })
      expect((await callsheet(folder, ['generate', '--cwd', 'packages/contract'])).code).toBe(0)
      expect(run(folder, [tsc, '-b'])).toBe('')
      expect(run(folder, ['packages/worker/dist/main.js'])).toBe(
        "{ temperature: 14, conditions: 'cloudy' }\n",
      )
      expect(run(folder, ['packages/agent/dist/main.js'])).toContain("_tool: 'weatherCheck'")
      await expectCiToPass(folder, err)
      const agent = contents(join(folder, 'packages/agent'))
      expect(JSON.parse(agent['package.json'] ?? '').dependencies).not.toHaveProperty('typebox')
    })
  },
)

describe('callsheet init', () => {
  test.each(['single', 'monorepo'])('%s: a second run changes nothing', async (kind) => {
    const folder = temporaryFolder()
    await callsheet(folder, ['init', '--kind', kind])
    const before = contents(folder)
    const { code, out, err } = await callsheet(folder, ['init', '--kind', kind])
    expect({ code, out, err }).toEqual({ code: 0, out: '', err: 'Set up already. Nothing was changed.\n' })
    expect(contents(folder)).toEqual(before)
  })

  test('overwrites nothing, and gives a project with definitions no example', async () => {
    const folder = temporaryFolder()
    const mine = {
      'definitions/mine.ts': 'export const mine = 1\n',
      'tsconfig.json': '{ "compilerOptions": {} }\n',
      'package.json':
        '{\n\t"name": "mine",\n\t"scripts": { "generate": "my own" },\n\t"devDependencies": { "callsheet": "file:../x" }\n}',
    }
    fill(folder, mine)
    const { err, out } = await callsheet(folder, ['init', '--yes'])
    expect(err).toContain('tsconfig.json exists and was not changed.')
    expect(out).toBe('callsheet.config.ts\npackage.json\n')
    const files = own(folder)
    expect(files).toMatchObject({
      'definitions/mine.ts': mine['definitions/mine.ts'],
      'tsconfig.json': mine['tsconfig.json'],
    })
    expect(files['package.json']).toMatch(
      /^\{\n\t"name": "mine",\n\t"scripts": \{\n\t\t"generate": "my own",\n/,
    )
    expect(JSON.parse(files['package.json'] ?? '')).toMatchObject({
      scripts: { generate: 'my own', 'generate:check': 'callsheet generate --check' },
      devDependencies: { callsheet: 'file:../x', typebox: expect.any(String) },
    })
    expect(JSON.parse(files['package.json'] ?? '').dependencies).toBeUndefined()
  })

  test.each<[string, Record<string, string>, boolean]>([
    ['a folder without definitions in it', { 'definitions/readme.md': '' }, true],
    [
      'a configuration, which may name other folders',
      { 'callsheet.config.json': '{"definitions":"src"}' },
      false,
    ],
    ['a definition of another kind', { 'definitions/search.json': '{}' }, false],
  ])('an example beside %s: %j', async (_what, files, isWritten) => {
    const folder = temporaryFolder()
    fill(folder, files)
    expect((await callsheet(folder, ['init', '--yes'])).code).toBe(0)
    expect(existsSync(join(folder, 'definitions/weather.ts'))).toBe(isWritten)
    expect(existsSync(join(folder, 'main.ts'))).toBe(isWritten)
  })

  test('writes no second configuration beside one of another name', async () => {
    const folder = temporaryFolder()
    fill(folder, { 'callsheet.config.json': '{}', 'definitions/mine.ts': '' })
    const { out, err } = await callsheet(folder, ['init', '--yes'])
    expect(out).toBe('tsconfig.json\npackage.json\n')
    expect(err).toContain('callsheet.config.json exists and was not changed.')
  })

  test('a checkout with the line ends of Windows is set up already', async () => {
    const folder = temporaryFolder()
    await callsheet(folder, ['init', '--yes'])
    for (const [path, text] of Object.entries(contents(folder)))
      fill(folder, { [path]: `${path.endsWith('.json') ? '\uFEFF' : ''}${text.replaceAll('\n', '\r\n')}` })
    const { err } = await callsheet(folder, ['init', '--yes'])
    expect(err).toBe('tsconfig.json exists and was not changed.\nSet up already. Nothing was changed.\n')
  })

  test('asks on a terminal until it has an answer; elsewhere wants a flag', async () => {
    const folder = temporaryFolder()
    const answers = ['both', 'mono']
    const asked: string[] = []
    const ask = async (question: string) => {
      asked.push(question)
      return answers.shift() ?? ''
    }
    const { err } = await callsheet(folder, ['init'], { ask })
    expect(err).toContain('Answer one of single, monorepo.')
    expect(asked.length).toBe(2)
    expect(contents(folder)).toHaveProperty('packages/agent/main.ts')
    expect(await callsheet(temporaryFolder(), ['init'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--kind single'),
    })
  })

  test('a package.json that is not JSON is a fault, and nothing is written', async () => {
    const folder = temporaryFolder()
    fill(folder, { 'package.json': '{ "name": ' })
    const { code, err } = await callsheet(folder, ['init', '-y'])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('package.json cannot be used: ') })
    expect(Object.keys(contents(folder))).toEqual(['package.json'])
  })

  test.each(['dependencies', 'devDependencies', 'scripts'])(
    'a package.json whose "%s" is a list is a fault, and nothing is written',
    async (key) => {
      const folder = temporaryFolder()
      fill(folder, { 'package.json': JSON.stringify({ [key]: [] }) })
      const { code, err } = await callsheet(folder, ['init', '-y'])
      const want = `package.json cannot be used: "${key}" has to be an object, got [].`
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(want) })
      expect(Object.keys(contents(folder))).toEqual(['package.json'])
    },
  )

  test.each([
    ['{"type":"commonjs"}', '{\n  "type": "commonjs",\n  "scripts": {\n    "a": "b"\n  }\n}'],
    ['{\r\n    "scripts": {}\r\n}\r\n', '{\r\n    "scripts": {\r\n        "a": "b"\r\n    }\r\n}\r\n'],
    ['\uFEFF{\n\t"type": "module"\n}', '{\n\t"type": "module",\n\t"scripts": {\n\t\t"a": "b"\n\t}\n}'],
    ['{"scripts":{"a":"c"},"type":"module"}', undefined],
  ])('%j gets what it lacks', (text, want) => {
    expect(addToPackage(text, { name: 'x', type: 'module', scripts: { a: 'b' } })).toBe(want)
  })
})

test.each([
  ['["apps/*"]', ['apps/*', 'packages/*']],
  ['{"packages":["apps/*"],"nohoist":[]}', { packages: ['apps/*', 'packages/*'], nohoist: [] }],
  ['["./packages/**"]', ['./packages/**']],
  ['["packages/*/"]', ['packages/*/']],
])('the packages of a monorepo become workspaces beside %s', (workspaces, want) => {
  const text = `{"workspaces":${workspaces}}`
  const after = addToPackage(text, { workspaces: ['packages/*'] }) ?? text
  expect(JSON.parse(after).workspaces).toEqual(want)
})

test('what cannot be read is a fault before anything is written', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'callsheet.config.ts'))
  expect((await callsheet(folder, ['init', '-y'])).code).toBe(2)
  expect(Object.keys(contents(folder))).toEqual(['callsheet.config.ts/'])
})

describe('init for pnpm', () => {
  test.each([
    ['its lock file', { 'pnpm-lock.yaml': '', 'package.json': '{ "name": "shop" }' }],
    ['the name of the manager', { 'package.json': '{ "name": "shop", "packageManager": "pnpm@11.0.0" }' }],
  ])('by %s: a workspace that pnpm links, and steps that it takes', async (_what, files) => {
    const folder = temporaryFolder()
    fill(folder, files)
    const { code, err } = await callsheet(folder, ['init', '--kind', 'monorepo'])
    expect(code).toBe(0)
    const written = own(folder)
    expect(written['pnpm-workspace.yaml']).toContain('packages:\n  - packages/*\n')
    const root = JSON.parse(written['package.json'] ?? '')
    expect(root.workspaces).toBeUndefined()
    const { dependencies } = JSON.parse(written['packages/worker/package.json'] ?? '')
    expect(Object.values(dependencies)).toContain('workspace:*')
    expect(err).toContain('\n  pnpm install\n  pnpm run generate\n')
    expect(err).toContain('- run: pnpm install --frozen-lockfile\n')
    expect(err).toContain(
      '- run: pnpm exec callsheet generate --cwd packages/contract --check --format github\n',
    )
    expect(err).not.toMatch(/(?<!p)npm |npx /)
    expect((await callsheet(folder, ['init', '--kind', 'monorepo'])).err).toContain('Set up already.')
  })

  test('a single package decides on the install script of esbuild, unless it is in a workspace', async () => {
    const folder = temporaryFolder()
    fill(folder, { 'pnpm-lock.yaml': '', 'package.json': '{ "name": "shop" }', 'in/it/package.json': '{}' })
    const { err } = await callsheet(folder, ['init', '--yes'])
    expect(err).toContain('\n  pnpm install\n')
    expect(own(folder)['pnpm-workspace.yaml']).toBe('packages:\n  - .\nallowBuilds:\n  esbuild: false\n')
    expect((await callsheet(folder, ['init', '--yes'])).err).toContain('Set up already.')
    expect((await callsheet(join(folder, 'in/it'), ['init', '--yes'])).err).toContain('\n  pnpm install\n')
    expect(own(join(folder, 'in/it'))).not.toHaveProperty('pnpm-workspace.yaml')
  })

  test('a package that names another manager is set up for npm', async () => {
    const folder = temporaryFolder()
    fill(folder, { 'pnpm-lock.yaml': '', 'package.json': '{ "packageManager": "npm@11.0.0" }' })
    expect((await callsheet(folder, ['init', '--yes'])).err).toContain('\n  npm install\n')
  })
})

describe('init for the manager of', () => {
  const pnpm = 'pnpm/11.0.0 npm/? node/v24.0.0 linux x64'
  const firstStep = async (folder: string, startedBy?: string): Promise<string | undefined> => {
    const { err } = await callsheet(folder, ['init', '--yes'], startedBy === undefined ? {} : { startedBy })
    return /Next:\n +(.*)/.exec(err)?.[1]
  }

  test('the command that started it, in an empty folder', async () => {
    expect(await firstStep(temporaryFolder(), pnpm)).toBe('pnpm install')
    expect(await firstStep(temporaryFolder(), 'yarn/4.9.0 npm/? node/v24.0.0 linux x64')).toBe('yarn install')
    expect(await firstStep(temporaryFolder(), 'npm/11.0.0 node/v24.0.0 linux x64')).toBe('npm install')
    expect(await firstStep(temporaryFolder())).toBe('npm install')
  })

  test('the lock file, whatever started it', async () => {
    const folder = temporaryFolder()
    fill(folder, { 'package-lock.json': '{}', 'package.json': '{ "name": "shop" }' })
    expect(await firstStep(folder, pnpm)).toBe('npm install')
  })

  test('the workspace around it, up to the repository', async () => {
    const root = temporaryFolder()
    fill(root, {
      'pnpm-lock.yaml': '',
      'package.json': '{ "name": "root" }',
      'packages/tools/package.json': '{ "name": "tools" }',
      'vendor/.git/HEAD': '',
      'vendor/tools/package.json': '{ "name": "tools" }',
    })
    expect(await firstStep(join(root, 'packages/tools'))).toBe('pnpm install')
    expect(await firstStep(join(root, 'vendor/tools'))).toBe('npm install')
  })

  test('no stray lock file above it', async () => {
    const root = temporaryFolder()
    fill(root, { 'yarn.lock': '', 'tools/package.json': '{ "name": "tools" }' })
    expect(await firstStep(join(root, 'tools'))).toBe('npm install')
  })
})

test('init for Bun: the workspaces of npm, and steps that Bun takes', async () => {
  const folder = temporaryFolder()
  fill(folder, { 'bun.lock': '', 'package.json': '{ "name": "shop" }' })
  const { err } = await callsheet(folder, ['init', '--kind', 'monorepo'])
  expect(JSON.parse(own(folder)['package.json'] ?? '').workspaces).toEqual(['packages/*'])
  expect(err).toContain(
    '\n  bun install\n  bun run generate\n  bun run typecheck\n  node packages/worker/dist/main.js\n',
  )
  expect(err).toContain('- run: bun install --frozen-lockfile\n')
  expect(err).toContain('- run: bunx callsheet lint --cwd packages/contract --format github\n')
  expect(err).not.toMatch(/npm |npx /)
})

describe('init for Yarn', () => {
  test.each([
    ['its lock file', { 'yarn.lock': '', 'package.json': '{ "name": "shop" }' }],
    ['the name of the manager', { 'package.json': '{ "name": "shop", "packageManager": "yarn@4.9.0" }' }],
  ])('by %s: the workspaces of npm, and steps that Yarn takes', async (_what, files) => {
    const folder = temporaryFolder()
    fill(folder, files)
    const { err } = await callsheet(folder, ['init', '--kind', 'monorepo'])
    expect(JSON.parse(own(folder)['package.json'] ?? '').workspaces).toEqual(['packages/*'])
    expect(err).toContain(
      '\n  yarn install\n  yarn generate\n  yarn typecheck\n  yarn node packages/worker/dist/main.js\n',
    )
    expect(err).toContain('- run: yarn install --immutable\n')
    expect(err).toContain('- run: yarn callsheet lint --cwd packages/contract --format github\n')
    expect(err).not.toMatch(/npm |npx /)
    expect(own(folder)['.yarnrc.yml']).toBe('nodeLinker: node-modules\n')
    expect((await callsheet(folder, ['init', '--kind', 'monorepo'])).err).toContain('Set up already.')
  })

  const advice = 'add "nodeLinker: node-modules" to .yarnrc.yml first'
  test.each<[string, Record<string, string>, { isAdvised: boolean }]>([
    ['its settings', { '.yarnrc.yml': 'enableTelemetry: false\n' }, { isAdvised: true }],
    ['a choice of linker', { '.yarnrc.yml': 'nodeLinker: pnpm\n' }, { isAdvised: false }],
    ["Plug'n'Play", { '.pnp.cjs': '' }, { isAdvised: true }],
    ['the lock file of Yarn 1', { 'yarn.lock': '# yarn lockfile v1\n' }, { isAdvised: false }],
    ['a workspace around it', { '../yarn.lock': '', '../package.json': '{}' }, { isAdvised: true }],
  ])('beside %s, no linker is set', async (_what, files, { isAdvised }) => {
    const folder = join(temporaryFolder(), 'shop')
    fill(folder, { 'package.json': '{ "packageManager": "yarn@4.9.0" }', ...files })
    const { err } = await callsheet(folder, ['init', '--yes'])
    expect(own(folder)['.yarnrc.yml']).toBe(files['.yarnrc.yml'])
    expect(err.includes(advice)).toBe(isAdvised)
  })
})

test.each<[string, string, string, boolean]>([
  ['as `npm init` and `tsc --init` write them', 'commonjs', '"verbatimModuleSyntax": true,', true],
  ['an ES module', 'module', '"verbatimModuleSyntax": true,', false],
  ['a comment', 'commonjs', '// "verbatimModuleSyntax": true,', false],
])('options that forbid `import` in CommonJS are told of: %s', async (_what, type, line, isTold) => {
  const folder = temporaryFolder()
  const options = `{\n  "compilerOptions": {\n    ${line}\n  }\n}\n`
  fill(folder, { 'package.json': JSON.stringify({ type }), 'tsconfig.json': options })
  const { err } = await callsheet(folder, ['init', '--yes'])
  expect(err.includes('Next:\n  npm pkg set type=module')).toBe(isTold)
})

test('beside scripts of its own, a package gets the commands that are meant', async () => {
  const folder = temporaryFolder()
  const scripts = { typecheck: 'vue-tsc', generate: 'prisma generate' }
  fill(folder, { 'package.json': JSON.stringify({ scripts }), 'tsconfig.json': '{}', 'bun.lock': '' })
  const { err } = await callsheet(folder, ['init', '--kind', 'monorepo'])
  expect(err).toContain(
    '  bunx callsheet generate --cwd packages/contract\n  bunx tsc -b packages/worker packages/agent\n',
  )
})
