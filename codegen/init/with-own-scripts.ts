import { isJsonObject, type JsonObject, own } from '../../runtime/json/json.ts'
import type { ProjectFiles } from './project-files.ts'

/** A script that the package has already keeps what it does, so a step that would run it becomes the command that was meant. */
export function withOwnScripts(project: ProjectFiles, present: JsonObject | undefined): ProjectFiles {
  const meant = scripts(project.packages['package.json'])
  const kept = scripts(present)
  const next = project.next.map((step) => {
    const [, name = ''] = /^npm (?:run )?(\S+)$/.exec(step) ?? []
    const command = own(meant, name)
    const before = own(kept, name)
    return before === undefined || before === command || command === undefined ? step : `npx ${command}`
  })
  return { ...project, next }
}

function scripts(packageJson: JsonObject | undefined): JsonObject {
  const found = own(packageJson ?? {}, 'scripts')
  return isJsonObject(found) ? found : {}
}
