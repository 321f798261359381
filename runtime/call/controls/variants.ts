import type { Call } from '../../context/message.ts'
import { environmentVariable } from '../../environment-variable.ts'
import { copyJson } from '../../json/json-copy.ts'

/** An implementation: `default` (registered without a variant), a variant's name, or `latent`. */
export type VariantChoice = string

/** The second argument of a policy that is a function. */
export interface VariantInfo {
  readonly activity: string
  /** The id of the Call. */
  readonly id: string
  /**
   * The key by which percentages choose if the Call has no `_instance`: the option `variantKey`, else the Call's id.
   */
  readonly key: string
}

/**
 * Chooses the implementation of a Call (ACT-5): always the same one, by a function, by an environment variable, by
 * percentage (stable for the same `_instance`, else for the same `variantKey`, else for the same id), or two in
 * parallel, of which the first counts and the second is compared with it.
 */
export type VariantPolicy =
  | VariantChoice
  | ((call: Call, info: VariantInfo) => VariantChoice | undefined)
  | EnvironmentPolicy
  | PercentagePolicy
  | ComparePolicy

// Each has a name, so that an error about an unknown property stays short.

/** Chooses the variant that an environment variable names. */
export interface EnvironmentPolicy {
  readonly environment: string
  readonly otherwise?: VariantChoice
}

/** Chooses variants for parts of the Calls, in percent. */
export interface PercentagePolicy {
  readonly percentage: Readonly<Record<VariantChoice, number>>
  readonly otherwise?: VariantChoice
}

/** Runs two variants: the first counts, and the second is compared with it. */
export interface ComparePolicy {
  readonly compare: readonly [primary: VariantChoice, shadow: VariantChoice]
}

/** Policies by the name of the Activity (ACT-5). */
export type VariantPolicies = Readonly<Record<string, VariantPolicy>>

/** The chosen implementation, and the one that runs in parallel for comparison. */
export interface Variant {
  readonly choice: VariantChoice
  readonly shadow?: VariantChoice
}

/**
 * Applies a policy to one Call. If it chooses nothing: `otherwise`, else the implementation registered without a
 * variant.
 */
export function chooseVariant(policy: VariantPolicy, call: Call, info: VariantInfo): Variant {
  if (typeof policy === 'string') return { choice: policy }
  // A copy, so that it cannot change the Call that is checked and run.
  if (typeof policy === 'function') return { choice: policy(copyJson(call), info) ?? 'default' }
  if ('environment' in policy)
    return { choice: environmentVariable(policy.environment) ?? policy.otherwise ?? 'default' }
  if ('compare' in policy) return { choice: policy.compare[0], shadow: policy.compare[1] }
  const instance = call._instance
  const key = typeof instance === 'string' ? instance : info.key
  return {
    choice: byPercentage(policy.percentage, `${info.activity}\n${key}`) ?? policy.otherwise ?? 'default',
  }
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

/** Hashes a key to a number from 0 to 100, the same in every process (FNV-1a with a final mix). */
function percentOf(key: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return ((hash ^ (hash >>> 13)) >>> 0) / 42949672.96
}
