/**
 * The type of a checked parameter: the compiler infers `Given` from the argument, then compares the argument with the
 * result of the check in `Fit`. `Fit` is a type parameter with a default, `{ told: … }`, which the compiler evaluates
 * once, after the argument is known. A check written here directly would be evaluated for the union of all Calls, and
 * searched for inferences. The result is an object, whose properties editors complete, or a sentence.
 * `infer`, since from an argument of type `Kept[Name]` the compiler would infer `Kept` for the `Fit` of `Fit['told']`.
 */
export type Told<Fit, Given> = Fit extends { readonly told: infer Fits extends object | string }
  ? Fits
  : Given

/**
 * `true` if a type is known where it is checked; `false` for a type parameter of an enclosing function, as in `<Given
 * extends Call>(call: Given) => Tool(call)`, and for `any` and `unknown`. A check must not look into such a type: it
 * would be evaluated for everything the parameter may be, which is every Tool.
 *
 * For a conditional type on a type parameter, the compiler substitutes `any` to find branches that are never taken. So
 * if `Given` is a type parameter, `IsKnown<Given> extends true ? Check<Given> : Otherwise` only requires `Otherwise`.
 * No known type accepts `void`.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: `undefined` is what a property may be that can be left out
export type IsKnown<Given> = [void] extends [Given] ? false : true

/** {@link IsKnown} for a list, also for one with a type parameter among its items, as in `[...Given]`. */
export type IsKnownList<List extends readonly unknown[]> = IsKnown<
  number extends List['length'] ? List[number] : List
>
