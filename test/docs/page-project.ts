import { readFileSync, rmSync } from 'node:fs'
import { generateIn, projectFolder } from '../types/project-folder.ts'
import { root } from './doc-examples.ts'

/** A TypeScript block of a page that is compiled and not run. */
export interface PageBlock {
  readonly page: string
  /** Number of the first line of code, from 1. */
  readonly line: number
  readonly code: string
  /** The file that its first line names, such as `// definitions/weather.ts`; otherwise a unique name. */
  readonly path: string
}

/** Code that a page leaves out because the reader knows it, such as imports of generated code and names of an earlier block. */
export interface PageSetting {
  /** Files in the page's folder in addition to those that its blocks name. */
  readonly files?: Readonly<Record<string, string>>
  /** Code to insert at the start of a block. Each key is a text that identifies the block. */
  readonly preludes?: Readonly<Record<string, string>>
}

/** Lists the plain `ts` blocks of a page. */
export function blocksOf(page: string): PageBlock[] {
  const text = readFileSync(root + page, 'utf8')
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(({ index, 1: code = '' }) => {
    const line = text.slice(0, index).split('\n').length + 1
    const named = /^\/\/ ((?:[\w.-]+\/)*[\w.-]+\.ts)\n/.exec(code)
    return { page, line, code, path: named?.[1] ?? `block-${line}.ts` }
  })
}

/**
 * Turns a page into a project: its blocks, at the paths that they name, and the generated code of its definitions.
 *
 * @param common Definitions and related files for pages that declare no Tools themselves.
 * @returns Source text by path. Blocks without a prelude are unchanged, so line numbers match.
 */
export async function pageProject(
  page: string,
  setting: PageSetting,
  common: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const sources: Record<string, string> = { ...setting.files }
  for (const { code, path, line } of blocksOf(page)) {
    if (path in sources) throw new Error(`${page}:${line}: ${path} exists already`)
    const preludes = Object.entries(setting.preludes ?? {}).filter(([part]) => code.includes(part))
    sources[path] = [...preludes.map(([, prelude]) => `${prelude}; `), code, '\nexport {}\n'].join('')
  }
  for (const part of Object.keys(setting.preludes ?? {})) {
    if (!blocksOf(page).some(({ code }) => code.includes(part)))
      throw new Error(`${page}: no block contains ${part}`)
  }
  const own = Object.keys(sources).some((path) => path.startsWith('definitions/'))
  const declared = own ? sources : { ...common, ...sources }
  const definitions = Object.entries(declared).filter(([path]) => path.startsWith('definitions/'))
  const key = JSON.stringify(definitions)
  const generated = projects.get(key) ?? generatedFrom(definitions)
  projects.set(key, generated)
  return { ...declared, ...(await generated) }
}

/** Generated code by definitions, because most pages have the same definitions. */
const projects = new Map<string, Promise<Record<string, string>>>()

async function generatedFrom(
  definitions: readonly [path: string, text: string][],
): Promise<Record<string, string>> {
  const folder = projectFolder(Object.fromEntries(definitions))
  try {
    return await generateIn(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
