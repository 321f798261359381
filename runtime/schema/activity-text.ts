/** Spells `_activity` as a schema where it is a plain text, which means a literal of it (ACT-3). */
export function withActivitySchema<Properties extends object>(properties: Properties): Properties {
  const { _activity } = properties as { _activity?: unknown }
  return typeof _activity === 'string'
    ? { ...properties, _activity: { type: 'string', const: _activity } }
    : properties
}
