import type { JsonObject } from '../../runtime/json/json.ts'
import type { GeneratedFile } from '../model.ts'

/** The files of a new project. Paths are relative to its folder. */
export interface ProjectFiles {
  /** Files to write if they do not exist yet. */
  readonly files: readonly GeneratedFile[]
  /** Members that each `package.json` needs; existing ones are kept. */
  readonly packages: Readonly<Record<string, JsonObject>>
  /** Next steps: a command or a sentence each. */
  readonly next: readonly string[]
  /** Steps for a GitHub workflow. */
  readonly ci: string
}

/** The facts about the project that decide about its files. */
export interface ProjectOptions {
  /** The name of the package, or the prefix of the packages' names. */
  readonly name: string
  /** The version of Callsheet to depend on. */
  readonly version: string
  /** False for a project with definitions, which gets no example. */
  readonly withExample: boolean
  /** False for a CommonJS package: it reaches Callsheet, which is ESM, through Node's `require` of ESM. */
  readonly isModule: boolean
  /** True beside a `tsconfig.json` that exists already: it may compile to any place, or to none. */
  readonly hasCompilerOptions: boolean
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

/** Prints the implementation of the example, with invented weather. */
export function weatherActivity(generated: string): string {
  return `import { Activity } from '${generated}'

Activity.register('weatherCheck', async ({ location }) => {
  // Ask a real service here; this one makes the weather up from the name.
  return { temperature: location.length, conditions: 'cloudy' }
})
`
}

/** Compiler options that generated code satisfies, and new code should. */
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

/** Option for ES modules only: in CommonJS it forbids `import`. */
export const moduleOptions = { verbatimModuleSyntax: true } as const

/** Versions of the packages that a project needs besides Callsheet. */
export const companions = {
  '@types/node': '>=20',
  esbuild: '>=0.25 <1',
  typebox: '^1.0.0',
  typescript: '>=5.9',
} as const

/** Prints JSON for a file. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/**
 * Prints steps for a GitHub workflow that fail if generated code is stale.
 *
 * @param folder The package with the definitions, relative to the root; empty if it is the root.
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
