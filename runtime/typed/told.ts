/**
 * The type of a parameter that is checked: the compiler infers `Given` from the argument, and then compares the argument
 * with what `Fit` tells. `Fit` is a type parameter with a default, `{ told: … }`, which the compiler works out once,
 * when the argument is known; a check that stood here itself would be worked out for the union of all Calls, and
 * searched for something to infer. What is told is an object, whose members editors offer, or a sentence.
 */
export type Told<Fit, Given> = Fit extends { readonly told: object | string } ? Fit['told'] : Given

/**
 * Whether a type is known where it is checked: `false` of what is left open by the type parameter of a function around a
 * Call, as in `<Given extends Call>(call: Given) => Tool(call)`, and of `any` and `unknown`. A check must not look into such a
 * type: it would be worked out for all that the parameter may stand for, which is every Tool.
 *
 * In a condition, the compiler leaves out the branch that no type leads to, and tries that with `any` in place of the
 * type parameter. So where `Given` is one, all that is asked of a value is to be `Otherwise` in
 * `IsKnown<Given> extends true ? Check<Given> : Otherwise`. No value is `void`, so that known types are not what `void` fits.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: `undefined` is what a property may be that can be left out
export type IsKnown<Given> = [void] extends [Given] ? false : true
