import type { RunOptions } from './run-options.ts'

export type Extras = typeof import('./extras.ts')

let loaded: Extras | undefined

/** Whether a run asks for something that a plain one does not. Its extras are loaded before the Call begins. */
export function wantsExtras({ confirm, retry, policy }: RunOptions): boolean {
  return confirm !== undefined || retry !== undefined || policy !== undefined
}

/** The extras where they are loaded already. */
export function extras(): Extras | undefined {
  return loaded
}

export async function loadExtras(): Promise<Extras> {
  loaded ??= await import('./extras.ts')
  return loaded
}
