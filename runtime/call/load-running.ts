export type Running = typeof import('./running.ts')

let loaded: Running | undefined

/** What runs Calls, at once where it is loaded already. */
export function running(): Running | Promise<Running> {
  return loaded ?? loadRunning()
}

async function loadRunning(): Promise<Running> {
  loaded = await import('./running.ts')
  return loaded
}
