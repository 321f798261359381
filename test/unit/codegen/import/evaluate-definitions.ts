import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import type { GeneratedFile } from '../../../../codegen/model.ts'
import { isJsonObject, type JsonObject } from '../../../../runtime/json/json.ts'
import { parametersSchema } from '../../../../runtime/schema/call-schema.ts'
import type { JsonSchema, ToolSchema } from '../../../../runtime/schema/schema.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** Runs definitions files and returns the Tools that they export, as plain JSON, by Tool name. */
export async function evaluateDefinitions(files: readonly GeneratedFile[]): Promise<Map<string, ToolSchema>> {
  const result = await build({
    stdin: {
      contents: files
        .map(({ path }) => `export * as ${asName(path)} from ${JSON.stringify(`definitions:${path}`)}`)
        .join('\n'),
      resolveDir: root,
    },
    plugins: [definitionsPlugin(files)],
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
    external: ['typebox'],
  })
  // Below node_modules, so that `typebox` is found and the file is run as it is; under a new name, since Node keeps what it has imported.
  const path = join(root, 'node_modules/.cache/callsheet-import-test', `${randomUUID()}.mjs`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, result.outputFiles[0]?.text ?? '')
  try {
    const modules: Record<string, Record<string, unknown>> = await import(pathToFileURL(path).href)
    const tools = Object.values(modules).flatMap((module) => Object.values(module))
    return new Map(tools.map((tool) => [nameOf(tool), JSON.parse(JSON.stringify(tool))]))
  } finally {
    rmSync(path)
  }
}

/** The schema of a Tool's arguments as 2020-12, which is how a Call's parameters are checked. */
export function argumentsSchema(tool: ToolSchema): JsonSchema {
  return withPrefixItems(parametersSchema(tool)) as JsonSchema
}

/** TypeBox's tuples as 2020-12 spells them. An oracle of its own: schemas of the tests have no data that looks so. */
export function withPrefixItems(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPrefixItems)
  if (!isJsonObject(value)) return value
  const entries: JsonObject = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withPrefixItems(member)]),
  )
  if (!Array.isArray(entries.items)) return entries
  const { items, additionalItems, ...rest } = entries
  return { ...rest, prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) }
}

function definitionsPlugin(files: readonly GeneratedFile[]): Plugin {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  return {
    name: 'definitions',
    setup(context) {
      context.onResolve({ filter: /^definitions:/ }, ({ path }) => ({
        path: path.slice('definitions:'.length),
        namespace: 'definitions',
      }))
      context.onResolve({ filter: /^callsheet$/ }, () => ({ path: join(root, 'runtime/schema/tool.ts') }))
      context.onLoad({ filter: /.*/, namespace: 'definitions' }, ({ path }) => ({
        contents: texts.get(path) ?? '',
        loader: 'ts',
        resolveDir: root,
      }))
    },
  }
}

function asName(path: string): string {
  return `m${path.replace(/\W/g, (char) => `$${char.charCodeAt(0)}`)}`
}

function nameOf(tool: unknown): string {
  const properties = isJsonObject(tool) && isJsonObject(tool.properties) ? tool.properties : {}
  const tag = Object.hasOwn(properties, '_tool') ? properties._tool : undefined
  return isJsonObject(tag) ? String(tag.const) : ''
}
