import { requireOptions } from '../call/controls/require-options.ts'
import type { RegistryState } from '../call/registry-state.ts'
import type { GroupOptions, RunOptions } from '../call/run-options.ts'

/**
 * Merges the options of a run with the defaults of its registry. An option that is undefined counts as left out.
 *
 * @throws CallError `invalid_options`.
 */
export function withDefaults(
  { defaults }: RegistryState,
  options: RunOptions | GroupOptions | undefined,
): GroupOptions & RunOptions {
  if (options === undefined) return defaults
  requireOptions(options)
  const all: Record<string, unknown> = { ...defaults }
  for (const name of Object.keys(options)) {
    const value: unknown = options[name as keyof typeof options]
    if (value !== undefined) all[name] = value
  }
  return all
}
