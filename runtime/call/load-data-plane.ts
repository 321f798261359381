import { copyJson } from '../json/json-copy.ts'
import type { ActivityContext } from '../tools/activity.ts'

export type DataPlane = typeof import('./data-plane.ts')

let loaded: DataPlane | undefined

/** The data plane where it is loaded already. */
export function dataPlane(): DataPlane | undefined {
  return loaded
}

export async function loadDataPlane(): Promise<DataPlane> {
  loaded ??= await import('./data-plane.ts')
  return loaded
}

/** A copy of what an Activity may see. A Call without the data plane has an empty context. */
export function copiedContext(context: ActivityContext): ActivityContext {
  return loaded?.copyContext(context) ?? copyJson(context)
}
