// What the same tools cost the compiler when types are inferred from schemas in code: declared, implemented by a typed
// handler that reads every parameter, and called once with every field of the result read.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { makeTools, randomSource, typeBoxSource, validValue, zodSource } from './corpus.mjs'
import { compilerFolder, strictest } from './types/compile.mjs'

// Inside bench/, so that the peers are found.
const cache = fileURLToPath(new URL('./node_modules/.cache/callsheet-types', import.meta.url))
const json = JSON.stringify

/** Milliseconds for one check: some ways take hours over a thousand tools. */
const limit = 300_000

/** By peer: what stands at the top, a schema as source, the type of a schema's values. */
const inferred = {
  zod: {
    label: 'zod, z.infer',
    head: "import * as z from 'zod'\n",
    schema: zodSource,
    type: (name) => `z.infer<typeof ${name}>`,
  },
  typebox: {
    label: 'TypeBox, Static',
    head: "import { Type, type Static } from 'typebox'\n",
    schema: typeBoxSource,
    type: (name) => `Static<typeof ${name}>`,
  },
  fromSchema: {
    label: 'json-schema-to-ts, FromSchema',
    head: "import type { FromSchema } from 'json-schema-to-ts'\n",
    schema: (schema) => `${json(schema)} as const`,
    type: (name) => `FromSchema<typeof ${name}>`,
  },
}

export const typePeers = {
  aiSdk: 'AI SDK tool() with zod',
  ...Object.fromEntries(Object.entries(inferred).map(([peer, { label }]) => [peer, label])),
}

/** The same use of generated types, as source text for a project of `types/project.mjs`. */
export function callsheetSource({ tools, values }) {
  const parts = tools.map(({ name, parameters, output }, index) => {
    const value = values[index]
    return `Activity.register('${name}', async (call) => {
  ${reads('call', parameters.properties)}
  return ${json(value.output)}
})
{
  const result = await Tool(calls.${name}(${json(value.parameters)}))
  ${reads('result', output.properties)}
}
`
  })
  return `import { Activity, calls, Tool } from './generated/index.js'\n${parts.join('')}`
}

/**
 * Type-checks so many tools the way of a peer.
 *
 * @param version `5.9`, `6.0` or `7.0`.
 * @throws When it does not check, which would make the figures worthless.
 */
export async function checkPeer(peer, count, version = '5.9') {
  const folder = join(cache, `${peer}-${count}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  writeFileSync(
    join(folder, 'use.ts'),
    peer === 'aiSdk' ? aiSdkSource(count) : inferredSource(inferred[peer], count),
  )
  const config = join(folder, 'tsconfig.json')
  writeFileSync(config, json({ compilerOptions: strictest, files: ['use.ts'] }))
  const stdout = await outputWithin(limit, process.execPath, [
    '--max-old-space-size=8192',
    join(compilerFolder(version), 'bin', 'tsc'),
    '-p',
    config,
    '--extendedDiagnostics',
    '--pretty',
    'false',
  ])
  const error = /^.*error TS.*$/m.exec(stdout)
  if (error) throw new Error(`${peer}, ${count} tools: ${error[0].slice(0, 300)}`)
  const found = (label) => Number(new RegExp(`^${label}:\\s+([\\d.]+)`, 'm').exec(stdout)?.[1])
  return {
    instantiations: found('Instantiations'),
    seconds: found('Check time'),
    megabytes: Math.round(found('Memory used') / 1024),
  }
}

/** What a program prints, unless it takes longer: then it ends, with the processes that it started. */
async function outputWithin(milliseconds, program, args) {
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const end = () => process.kill(-child.pid, 'SIGKILL')
  const timer = setTimeout(end, milliseconds)
  process.once('exit', end)
  try {
    const [printed, [, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    if (signal) throw new Error(`not done after ${milliseconds / 1000} s`)
    return printed
  } finally {
    clearTimeout(timer)
    process.off('exit', end)
  }
}

function inferredSource({ head, schema, type }, count) {
  const random = randomSource(7)
  const parts = makeTools(count).map(({ name, parameters, output }) => {
    const [call, result] = [`${name}Call`, `${name}Output`]
    return `const ${call} = ${schema(parameters)}
const ${result} = ${schema(output)}
async function ${name}(call: ${type(call)}): Promise<${type(result)}> {
  ${reads('call', parameters.properties)}
  return ${json(validValue(output, random))}
}
{
  const result = await ${name}(${json(validValue(parameters, random))})
  ${reads('result', output.properties)}
}
`
  })
  return `${head + parts.join('')}export {}\n`
}

function aiSdkSource(count) {
  const random = randomSource(7)
  // Its results have the type of what the handler returned, so these are the fields that can be read.
  const tools = makeTools(count).map((tool) => ({ ...tool, answer: validValue(tool.output, random) }))
  const declared = tools.map(
    ({ name, description, parameters, output, answer }) => `  ${name}: tool({
    description: ${json(description)},
    inputSchema: ${zodSource(parameters)},
    outputSchema: ${zodSource(output)},
    execute: async (call) => {
      ${reads('call', parameters.properties)}
      return ${json(answer)}
    },
  }),\n`,
  )
  const branches = tools.map(
    ({ name, answer }) =>
      `  if (!result.dynamic && result.toolName === '${name}') { const output = result.output; ${reads('output', answer)} }\n`,
  )
  return `import { tool, type TypedToolResult } from 'ai'
import * as z from 'zod'
const tools = {
${declared.join('')}}
export function read(result: TypedToolResult<typeof tools>): void {
${branches.join('')}}
`
}

/** A statement for each member: a list of them would cost the compiler as much again, whoever typed them. */
function reads(name, record) {
  return Object.keys(record)
    .map((key) => `void ${name}.${key}`)
    .join('; ')
}
