// What it takes to run a Call. Generated wiring has it at hand; a registry made by hand loads it with its first Call, as
// it does the interpreter of its Tools' schemas, since many processes that make one only declare, compose or read Tools.
export { acceptCall } from './accept-call.ts'
export { runAccepted } from './run-call.ts'
