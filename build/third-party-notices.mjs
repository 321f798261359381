import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The licences of what builds have copied out of node_modules: whoever passes the result on owes them to their authors.
 *
 * @param {import('esbuild').Metafile[]} metafiles
 */
export function thirdPartyNotices(metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs))
  const folders = new Set(inputs.flatMap(packageFolder))
  const notices = [...folders].sort().map(noticeOf)
  const head = '# Third-party notices\n\nThe files of this folder contain code of the following packages.\n'
  return `${[head, ...notices].join('\n')}`
}

/** The folder of the package that a file belongs to; none for the project's own files. */
function packageFolder(path) {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:[.-]\w+)*$/i.test(entry))
  if (!file) throw new Error(`${name} is bundled and has no licence file: say what is owed to its authors.`)
  const text = readFileSync(join(folder, file), 'utf8').trim()
  return `## ${name} ${version} (${license})\n\n${text}\n`
}
