// What Calls need that are confirmed, repeated, given to a variant, asked of a model or shown to a hook. A chunk of its own: a process
// that runs its Calls plainly never loads it.
export { acceptHooked } from './accept-hooked.ts'
export { afterwards } from './afterwards.ts'
export { askModel } from './ask-model.ts'
export { askToConfirm } from './confirm-call.ts'
export { backOff, mayRetry } from './retry.ts'
export { shadowRun } from './shadow-run.ts'
export { implementationsBy } from './variant-policy.ts'
