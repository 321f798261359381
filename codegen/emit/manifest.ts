import { byCodeUnit } from '../../runtime/json/json.ts'
import type { GeneratedFile, Model } from '../model.ts'
import { generatedMarker, manifestName } from '../write/marker.ts'
import { contentHash } from './content-hash.ts'

/**
 * The file that lists what was generated: a content hash per Tool, so that a reader sees which Tools a change touches,
 * and the files, by which the generator knows its own again. Comes last, when the other files are known.
 */
export function manifestFile(model: Model, files: readonly GeneratedFile[]): GeneratedFile {
  const tools = [...model.tools].sort((left, right) => byCodeUnit(left.name, right.name))
  const manifest = {
    $comment: `${generatedMarker}. Do not edit; run \`callsheet generate\`.`,
    tools: Object.fromEntries(tools.map((tool) => [tool.name, contentHash(tool, model.definitions)])),
    files: [...files.map((file) => file.path), manifestName].sort(byCodeUnit),
  }
  return { path: manifestName, text: `${JSON.stringify(manifest, null, 2)}\n` }
}
