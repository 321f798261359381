import type { JsonObject } from '../../runtime/json/json.ts'
import type { GeneratedFile } from '../model.ts'
import {
  ciSteps,
  companions,
  jsonText,
  moduleOptions,
  type ProjectFiles,
  type ProjectOptions,
  strictOptions,
  weatherActivity,
  weatherDefinition,
} from './project-files.ts'

const contractConfig = `import { defineConfig } from 'callsheet/codegen'

export default defineConfig({
  // The Activities run in the worker: every Tool composes as explicit.
  activities: 'same-name',
  dialects: ['json-schema', 'openai'],
})
`

/** Three packages: the contract declares Tools, the worker implements them, the agent lets a model call them. */
export function monorepo({ name, version, withExample, hasCompilerOptions }: ProjectOptions): ProjectFiles {
  const contract = `${name}-contract`
  const builtOptions = { ...strictOptions, ...moduleOptions, composite: true, rootDir: '.', outDir: 'dist' }
  const depending = {
    compilerOptions: builtOptions,
    include: ['*.ts', 'activities'],
    references: [{ path: '../contract' }],
  }
  return {
    files: [
      {
        path: 'tsconfig.json',
        text: jsonText({
          files: [],
          references: ['contract', 'worker', 'agent'].map((folder) => ({ path: `packages/${folder}` })),
        }),
      },
      { path: 'packages/contract/callsheet.config.ts', text: contractConfig },
      {
        path: 'packages/contract/tsconfig.json',
        text: jsonText({ compilerOptions: builtOptions, include: ['definitions', 'generated'] }),
      },
      { path: 'packages/worker/tsconfig.json', text: jsonText(depending) },
      { path: 'packages/agent/tsconfig.json', text: jsonText(depending) },
      ...(withExample ? example(contract) : []),
    ],
    packages: {
      'package.json': {
        name,
        private: true,
        type: 'module',
        workspaces: ['packages/*'],
        scripts: {
          generate: 'callsheet generate --cwd packages/contract',
          'generate:check': 'callsheet generate --cwd packages/contract --check',
          // A `tsconfig.json` that exists already refers to other packages.
          typecheck: hasCompilerOptions ? 'tsc -b packages/worker packages/agent' : 'tsc -b',
        },
        devDependencies: { callsheet: version, ...companions },
      },
      'packages/contract/package.json': {
        ...memberPackage(contract, version),
        exports: { '.': { types: './dist/generated/index.d.ts', default: './dist/generated/index.js' } },
        devDependencies: { esbuild: companions.esbuild, typebox: companions.typebox },
      },
      'packages/worker/package.json': memberPackage(`${name}-worker`, version, contract),
      'packages/agent/package.json': memberPackage(`${name}-agent`, version, contract),
    },
    next: [
      'npm install',
      'npm run generate',
      'npm run typecheck',
      ...(withExample ? ['node packages/worker/dist/main.js'] : []),
    ],
    ci: ciSteps('packages/contract'),
  }
}

function memberPackage(name: string, version: string, contract?: string): JsonObject {
  return {
    name,
    private: true,
    version: '0.0.0',
    type: 'module',
    dependencies: { callsheet: version, ...(contract !== undefined && { [contract]: '*' }) },
  }
}

function example(contract: string): GeneratedFile[] {
  return [
    { path: 'packages/contract/definitions/weather.ts', text: weatherDefinition },
    { path: 'packages/worker/activities/weatherCheck.ts', text: weatherActivity(contract) },
    {
      path: 'packages/worker/main.ts',
      text: `import './activities/weatherCheck.js'
import { calls, Tool } from '${contract}'

// Stands for what takes Calls off a queue: here is one.
console.log(await Tool(calls.weatherCheck({ location: 'Bergen, Norway' })))
`,
    },
    {
      path: 'packages/agent/main.ts',
      text: `import { Tool } from '${contract}'

// Knows every Tool and checks every Call, and has none of the worker's code.
const answer = '{ "_tool": "weatherCheck", "location": "Bergen, Norway" }'
console.log(Tool.names, Tool.parse(answer))
`,
    },
  ]
}
