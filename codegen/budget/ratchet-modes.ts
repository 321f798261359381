/** How kept figures are written anew: `lower` takes over those that fell, `accept` all of them. */
export const ratchetModes = ['lower', 'accept'] as const
export type RatchetMode = (typeof ratchetModes)[number]
