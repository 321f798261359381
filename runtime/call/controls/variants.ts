import type { Call } from '../../context/message.ts'

/** Which implementation: `default` (registered without a variant), a variant's name, or `latent`. */
export type VariantChoice = string

/** What a predicate is told. */
export interface VariantInfo {
  readonly activity: string
  /** The Call's own. */
  readonly id: string
  /** What percentages go by where the Call has no `_instance`: the run that the Call is part of, else its own id. */
  readonly key: string
}

/**
 * How a Call's implementation is chosen (ACT-5): always the same, by an environment variable, by percentage (stable for
 * the same `_instance`, else the same run, else the same id), by predicate, or two side by side of which the first counts.
 */
export type VariantPolicy =
  | VariantChoice
  | ((call: Call, info: VariantInfo) => VariantChoice | undefined)
  | { readonly environment: string; readonly otherwise?: VariantChoice }
  | { readonly percentage: Readonly<Record<VariantChoice, number>>; readonly otherwise?: VariantChoice }
  | { readonly compare: readonly [primary: VariantChoice, shadow: VariantChoice] }

/** Which implementation Calls get, by the name of their Activity (ACT-5). */
export type VariantPolicies = Readonly<Record<string, VariantPolicy>>

/** A chosen implementation, and the one that runs beside it for comparison. */
export interface Variant {
  readonly choice: VariantChoice
  readonly shadow?: VariantChoice
}

/** Applies a policy to one Call. Where it chooses nothing, the implementation registered without a variant. */
export function chooseVariant(policy: VariantPolicy, call: Call, info: VariantInfo): Variant {
  if (typeof policy === 'string') return { choice: policy }
  if (typeof policy === 'function') return { choice: policy(call, info) ?? 'default' }
  if ('environment' in policy)
    return { choice: environment(policy.environment) ?? policy.otherwise ?? 'default' }
  if ('compare' in policy) return { choice: policy.compare[0], shadow: policy.compare[1] }
  const instance = call._instance
  const key = typeof instance === 'string' ? instance : info.key
  return {
    choice: byPercentage(policy.percentage, `${info.activity}\n${key}`) ?? policy.otherwise ?? 'default',
  }
}

/** Reads `process.env` where there is a process; edge runtimes have none. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return process?.env?.[name] || undefined
}

function byPercentage(
  percentage: Readonly<Record<VariantChoice, number>>,
  key: string,
): VariantChoice | undefined {
  let point = percentOf(key)
  for (const [choice, share] of Object.entries(percentage)) {
    if (point < share) return choice
    point -= share
  }
  return undefined
}

/** A number from 0 to 100 that is the same for the same key everywhere (FNV-1a with a final mix). */
function percentOf(key: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return ((hash ^ (hash >>> 13)) >>> 0) / 42949672.96
}
