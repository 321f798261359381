import { byCodeUnit } from '../../runtime/json/json.ts'
import type { GeneratedFile, Model } from '../model.ts'
import { generatedMarker, manifestName } from '../write/marker.ts'
import { contentHash } from './content-hash.ts'

/**
 * Emits `manifest.json`: a content hash per Tool, which shows the Tools that a change affects, and the list of files, by which
 * the generator recognises its own. Emitted last, when the other files are known.
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
