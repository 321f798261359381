/**
 * The meta-fields of a Call, in the order in which a composed branch lists them (REQ-1). Every Call may carry the `always`
 * fields, which have rules of their own; the others are allowed only if the Tool declares them (CALL-1a).
 */
const metaFields = {
  _tool: { always: true },
  _reasoningForCall: { always: true },
  _activity: { always: true },
  _delegate: { always: false },
  _scopes: { always: false },
  _instance: { always: false },
  _outputPath: { always: false },
  _outputMethod: { always: false },
  _output: { always: true },
} as const

export type MetaField = keyof typeof metaFields

export const metaFieldNames: readonly MetaField[] = Object.keys(metaFields) as MetaField[]

/** True for the name of a meta-field; false for other names with an underscore. */
export function isMetaField(name: string): name is MetaField {
  return Object.hasOwn(metaFields, name)
}

/** True for a meta-field that every Call may carry, whether its Tool declares it or not (CALL-1a). */
export function isFreeField(name: string): boolean {
  return isMetaField(name) && metaFields[name].always
}
