import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject } from '../../runtime/json/json.ts'
import { packageFolder } from '../paths/package-folder.ts'

/** Reads the installed version from Callsheet's own `package.json`. */
export function installedVersion(): string {
  const data: unknown = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8'))
  return isJsonObject(data) && typeof data.version === 'string' ? data.version : 'unknown'
}
