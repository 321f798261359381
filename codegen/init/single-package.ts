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

const config = `import { defineConfig } from 'callsheet/codegen'

export default defineConfig({
  definitions: 'definitions',
  output: 'generated',
  dialects: ['json-schema', 'openai'],
})
`

const generated = 'generated/index.js'

const shown = "await Tool(calls.weatherCheck({ location: 'Bergen, Norway' }))"

function main(isModule: boolean): string {
  const run = isModule ? `console.log(${shown})` : `void (async () => {\n  console.log(${shown})\n})()`
  return `import './activities/weatherCheck.js'
import { calls, Tool } from './${generated}'

${run}
`
}

/** Compiles and runs the example. The project's own compiler options may emit nothing, so esbuild does it there, for any `type`. */
function start(hasCompilerOptions: boolean): string {
  return hasCompilerOptions
    ? 'esbuild main.ts --bundle --platform=node --packages=external --format=esm --outfile=dist/main.mjs && node dist/main.mjs'
    : 'tsc && node dist/main.js'
}

/** One package that declares Tools, implements them and runs Calls. */
export function singlePackage(options: ProjectOptions): ProjectFiles {
  const { name, version, withExample, isModule, hasCompilerOptions } = options
  const compilerOptions = { ...strictOptions, ...(isModule && moduleOptions), outDir: 'dist', rootDir: '.' }
  const example = [
    { path: 'definitions/weather.ts', text: weatherDefinition },
    { path: 'activities/weatherCheck.ts', text: weatherActivity(`../${generated}`) },
    { path: 'main.ts', text: main(isModule) },
  ]
  return {
    files: [
      { path: 'callsheet.config.ts', text: config },
      { path: 'tsconfig.json', text: jsonText({ compilerOptions }) },
      ...(withExample ? example : []),
    ],
    packages: {
      'package.json': {
        name,
        private: true,
        type: 'module',
        scripts: {
          generate: 'callsheet generate',
          'generate:check': 'callsheet generate --check',
          typecheck: 'tsc --noEmit',
          ...(withExample && { start: start(hasCompilerOptions) }),
        },
        dependencies: { callsheet: version },
        devDependencies: companions,
      },
    },
    ci: ciSteps(''),
    next: [
      'npm install',
      'npx callsheet generate',
      ...(withExample ? ['npm start'] : ['npx callsheet scaffold']),
    ],
  }
}
