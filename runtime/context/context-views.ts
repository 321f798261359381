/** Contexts that make the list of their Messages when it is looked at: looking whether they have one would make it. */
export const contextViews: WeakSet<object> = new WeakSet()
