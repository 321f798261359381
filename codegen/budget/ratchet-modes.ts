/** How the recorded figures are updated: `lower` updates only those that fell, `accept` all of them. */
export const ratchetModes = ['lower', 'accept'] as const
export type RatchetMode = (typeof ratchetModes)[number]
