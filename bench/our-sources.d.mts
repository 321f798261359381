/** @throws Error if a part is no longer exported. */
export function ourSources(): Promise<Readonly<Record<string, unknown>>>
