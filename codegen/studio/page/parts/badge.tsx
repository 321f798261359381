import type { Effects } from '../../../../runtime/schema/schema.ts'

/** Shows the effects of a Tool; undeclared effects count as writing. */
export function EffectsBadge({ effects }: { readonly effects: Effects | null | undefined }) {
  const said = effects ?? 'undeclared'
  return <span class={`badge ${said}`}>{effects ?? 'effects not declared'}</span>
}
