import { readFileSync, rmSync } from 'node:fs'
import { generateIn, projectFolder } from '../types/project-folder.ts'
import { root } from './doc-examples.ts'

/** A TypeScript block that the reader is shown, and that does not run by itself. */
export interface PageBlock {
  readonly page: string
  /** Of the first line of code, from 1. */
  readonly line: number
  readonly code: string
  /** The file that its first line names, `// definitions/weather.ts`; else one of its own. */
  readonly path: string
}

/** What a page leaves out because its reader knows it: where generated code comes from, and names of a block before. */
export interface PageSetting {
  /** Files in the page's folder, beside those that its blocks name. */
  readonly files?: Readonly<Record<string, string>>
  /** What stands in front of blocks, by a text in the block. */
  readonly preludes?: Readonly<Record<string, string>>
}

/** The plain `ts` blocks of a page. */
export function blocksOf(page: string): PageBlock[] {
  const text = readFileSync(root + page, 'utf8')
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(({ index, 1: code = '' }) => {
    const line = text.slice(0, index).split('\n').length + 1
    const named = /^\/\/ ((?:[\w.-]+\/)*[\w.-]+\.ts)\n/.exec(code)
    return { page, line, code, path: named?.[1] ?? `block-${line}.ts` }
  })
}

/**
 * A page as a project: its blocks at the paths that they name, and the generated code of its definitions.
 *
 * @param common Definitions, and what goes with them, of pages that declare no Tool of their own.
 * @returns Source text by path; a block that no prelude is for stands there as it is, line for line.
 */
export async function pageProject(
  page: string,
  setting: PageSetting,
  common: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const sources: Record<string, string> = { ...setting.files }
  for (const { code, path, line } of blocksOf(page)) {
    if (path in sources) throw new Error(`${page}:${line}: there is a ${path} already`)
    const preludes = Object.entries(setting.preludes ?? {}).filter(([part]) => code.includes(part))
    sources[path] = [...preludes.map(([, prelude]) => `${prelude}; `), code, '\nexport {}\n'].join('')
  }
  for (const part of Object.keys(setting.preludes ?? {})) {
    if (!blocksOf(page).some(({ code }) => code.includes(part)))
      throw new Error(`${page}: nothing says ${part}`)
  }
  const own = Object.keys(sources).some((path) => path.startsWith('definitions/'))
  const declared = own ? sources : { ...common, ...sources }
  const definitions = Object.entries(declared).filter(([path]) => path.startsWith('definitions/'))
  const key = JSON.stringify(definitions)
  const generated = projects.get(key) ?? generatedFrom(definitions)
  projects.set(key, generated)
  return { ...declared, ...(await generated) }
}

/** Generated code by definitions: most pages have the same. */
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
