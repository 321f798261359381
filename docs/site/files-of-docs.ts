import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const docs = fileURLToPath(new URL('..', import.meta.url))

/** Lists all files in docs/ except docs/site, which has the site's own code: sorted paths with forward slashes. */
export function filesOfDocs(): string[] {
  const here = readdirSync(docs, { withFileTypes: true }).filter(({ name }) => name !== 'site')
  return here.flatMap((entry) => (entry.isDirectory() ? filesBelow(entry.name) : [entry.name])).sort()
}

function filesBelow(folder: string): string[] {
  return readdirSync(docs + folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(docs.length).replaceAll('\\', '/'))
}
