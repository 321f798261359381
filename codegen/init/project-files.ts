import type { JsonObject } from '../../runtime/json/json.ts'
import type { GeneratedFile } from '../model.ts'

/** What a new project is made of. Paths are relative to its folder. */
export interface ProjectFiles {
  /** Written where there is no such file yet. */
  readonly files: readonly GeneratedFile[]
  /** What each `package.json` must have; members that are there stay as they are. */
  readonly packages: Readonly<Record<string, JsonObject>>
  /** What to do next, a command or a sentence each. */
  readonly next: readonly string[]
  /** Steps for a GitHub workflow. */
  readonly ci: string
}

/** What the files are made for. */
export interface ProjectOptions {
  /** The name that packages carry or begin with. */
  readonly name: string
  /** The version of Callsheet to depend on. */
  readonly version: string
  /** False in a project that has definitions already: it gets no example. */
  readonly withExample: boolean
  /** False for a CommonJS package: it reaches Callsheet, which is ESM, through Node's `require` of ESM. */
  readonly isModule: boolean
}

export const weatherDefinition = `import { tool } from 'callsheet'
import { Type } from 'typebox'

export const weatherCheck = tool(
  'weatherCheck',
  {
    location: Type.String({ minLength: 1, description: 'City and country' }),
    _output: Type.Object({ temperature: Type.Number({ description: 'In degrees Celsius' }), conditions: Type.String() }),
  },
  { description: 'Current weather at a location.', effects: 'read' },
)
`

/** An implementation to begin with: it makes the weather up. */
export function weatherActivity(generated: string): string {
  return `import { Activity } from '${generated}'

Activity.register('weatherCheck', async ({ location }) => {
  // Ask a real service here; this one makes the weather up from the name.
  return { temperature: location.length, conditions: 'cloudy' }
})
`
}

/** Compiler options that generated code is held to, and that new code should be. */
export const strictOptions = {
  target: 'es2023',
  lib: ['es2023'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
} as const

/** What only ES modules can be held to: in CommonJS it forbids `import`. */
export const moduleOptions = { verbatimModuleSyntax: true } as const

/** Versions of what a project needs beside Callsheet. */
export const companions = {
  '@types/node': '>=20',
  esbuild: '>=0.25 <1',
  typebox: '^1.0.0',
  typescript: '>=5.9',
} as const

/** JSON as files hold it. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/**
 * Steps for a GitHub workflow: generated code that is not fresh fails them.
 *
 * @param folder The package that has the definitions, from the root; empty where it is the root.
 */
export function ciSteps(folder: string): string {
  const where = folder === '' ? '' : ` --cwd ${folder}`
  const commands = [
    'npm ci',
    `npx callsheet generate${where} --check --format github`,
    `npx callsheet lint${where} --format github`,
    'npm run typecheck',
  ]
  return commands.map((command) => `      - run: ${command}\n`).join('')
}
