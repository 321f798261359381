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
