/**
 * The type of a parameter that is checked: the compiler infers `Given` from the argument, and then compares the argument
 * with what `Fit` tells. `Fit` is a type parameter with a default, `{ told: … }`, which the compiler works out once,
 * when the argument is known; a check that stood here itself would be worked out for the union of all Calls, and
 * searched for something to infer. What is told is an object, whose members editors offer, or a sentence.
 */
export type Told<Fit, Given> = Fit extends { readonly told: object | string } ? Fit['told'] : Given
