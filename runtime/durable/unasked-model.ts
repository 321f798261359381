import type { Confirm, ConfirmCalls } from '../call/confirm.ts'
import type { LatentModel } from '../call/latent.ts'
import type { Effects } from '../schema/schema.ts'

/**
 * Wraps the model of a worker, where nobody can be asked for the agent: a delegate makes only Calls that need no approval (REQ-9). A
 * Call of an Activity gets there if a policy lets the model answer it.
 *
 * @param unasked The effects of the Tools whose Calls need no approval.
 */
export function unaskedModel(model: LatentModel, unasked: readonly Effects[]): LatentModel {
  return {
    answer: ({ under, ...request }) => {
      const confirm = onlyUnasked(unasked, under?.confirm)
      return model.answer({ ...request, under: { ...under, confirm, isDefault: false } })
    },
    idea: async (name) => model.idea?.(name),
  }
}

function onlyUnasked(unasked: readonly Effects[], own: ConfirmCalls | undefined): Confirm {
  const { effects, ask } = typeof own === 'function' ? { ask: own } : { ...own }
  return (call, info) => {
    const declared = info.tool.effects ?? 'write'
    if (!unasked.includes(declared)) return { refuse: 'a worker cannot ask for an approval' }
    return ask && (!effects || effects.includes(declared)) ? ask(call, info) : true
  }
}
