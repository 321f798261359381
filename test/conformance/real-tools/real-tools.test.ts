import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { freshFolder, run } from '../../package/packed.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const source = join(root, '../shared/data/github-mcp-tools.json')
const there = existsSync(source)
const names: string[] = there
  ? JSON.parse(readFileSync(source, 'utf8')).tools.map((tool: { name: string }) => tool.name)
  : []

/** Runs one Call of every Tool, with the least that its schema asks for. */
const caller = `
import { Activity, Tool, type ToolName, type Activities } from './generated/index.js'

interface Schema { type?: string; enum?: unknown[]; const?: unknown; properties?: Record<string, Schema>; required?: string[]; items?: Schema; anyOf?: Schema[]; minimum?: number; minItems?: number; additionalProperties?: unknown }

function least(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf?.[0]) return least(schema.anyOf[0])
  switch (schema.type) {
    case 'string': return 'x'
    case 'number': case 'integer': return schema.minimum ?? 1
    case 'boolean': return true
    case 'array': return Array.from({ length: schema.minItems ?? 1 }, () => least(schema.items ?? {}))
    case 'object': return Object.fromEntries((schema.required ?? []).map((key) => [key, least(schema.properties?.[key] ?? {})]))
    default: return 'x'
  }
}

const statuses: Record<string, string> = {}
for (const name of Tool.names as ToolName[]) {
  Activity.register(name as keyof Activities, (async () => ({ done: name })) as never)
  const outcome = await Tool.run(least(Tool.get(name) as Schema) as never)
  statuses[name] = outcome.status === 'succeeded' && (outcome.output as { done: string }).done === name ? 'succeeded' : String(outcome.error)
}
console.log(JSON.stringify(statuses))
`

describe.skipIf(!there)(
  'GEN-10 the 117 real tools of ../shared: import -> generate -> tsc -> a Call each',
  () => {
    let folder = ''

    beforeAll(() => {
      folder = freshFolder({
        'package.json': '{ "name": "real-tools", "private": true, "type": "module" }',
        'call.ts': caller,
        'tsconfig.json': JSON.stringify({
          compilerOptions: {
            target: 'es2023',
            module: 'nodenext',
            strict: true,
            exactOptionalPropertyTypes: true,
            noUncheckedIndexedAccess: true,
            verbatimModuleSyntax: true,
            erasableSyntaxOnly: true,
            types: ['node'],
            outDir: 'out',
            rootDir: '.',
          },
          include: ['*.ts', 'definitions', 'generated'],
        }),
      })
      mkdirSync(join(folder, 'node_modules'))
      link('callsheet', root)
      for (const name of ['typebox', '@types']) link(name, join(root, 'node_modules', name))
    })

    test('import', () => {
      const imported = run(folder, process.execPath, cli(), 'import', source, '--out', 'definitions')
      expect(imported).toMatchObject({ code: 0 })
      expect(readdirSync(join(folder, 'definitions'))).toHaveLength(names.length)
      expect(names.length).toBe(117)
    })

    test('generate, and a second time without a change', () => {
      expect(run(folder, process.execPath, cli(), 'generate')).toMatchObject({ code: 0 })
      expect(run(folder, process.execPath, cli(), 'generate', '--check')).toMatchObject({ code: 0 })
    })

    test('tsc, and a Call of each', () => {
      const checked = run(folder, process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')
      expect(checked).toMatchObject({ code: 0, stdout: '' })
      const ran = run(folder, process.execPath, '--disallow-code-generation-from-strings', 'out/call.js')
      expect(ran.stderr).toBe('')
      expect(JSON.parse(ran.stdout)).toEqual(
        Object.fromEntries([...names].sort().map((name) => [name, 'succeeded'])),
      )
    })

    function link(name: string, target: string): void {
      const path = join(folder, 'node_modules', name)
      mkdirSync(dirname(path), { recursive: true })
      symlinkSync(target, path, 'dir')
    }

    function cli(): string {
      return join(folder, 'node_modules/callsheet/dist/cli.js')
    }
  },
)

test.skipIf(there)('GEN-10 real tools: skipped, since ../shared is not beside the checkout', () => {
  expect(names).toEqual([])
})
