import type { Effects } from '../../../../runtime/schema/schema.ts'

/** What a Tool does to the world; one that does not say counts as writing. */
export function EffectsBadge({ effects }: { readonly effects: Effects | null | undefined }) {
  const said = effects ?? 'undeclared'
  return <span class={`badge ${said}`}>{effects ?? 'effects not declared'}</span>
}
