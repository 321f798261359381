/** The pattern of a Reference in schemas: it begins with a dagger. Its grammar is checked when a Call runs. */
export const referencePattern = '^†'
