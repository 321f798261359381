/** What tells a Reference from other text in a schema: it starts with a dagger. The grammar is checked when a Call runs. */
export const referencePattern = '^†'
