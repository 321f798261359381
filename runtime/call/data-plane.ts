// What Calls need that read or write a context. A chunk of its own: a process whose Calls do neither never loads it.
export { callInContext, wholeContext } from './call-in-context.ts'
export { alternativeOf, concludeInContext } from './conclude-in-context.ts'
export { delegateOf } from './delegate.ts'
export { copyContext } from './provision.ts'
