/** A place where the verdict is not that of the official suite, and why. At most twenty. */
export interface Difference {
  /** `draft/file` without extension; both drafts where the draft is `*`. */
  readonly file: string
  /** The group, where only one differs. */
  readonly group?: string
  readonly reason: string
}

const sameAsAjv = 'the format is read as ajv-formats reads it (GEN-11)'

export const differences: readonly Difference[] = [
  {
    file: 'draft2020-12/format',
    reason: 'formats are asserted, as GEN-11 asks; the suite takes them for annotations',
  },
  {
    file: '*/optional/float-overflow',
    reason: 'a multiple is told as Ajv tells it: an infinite quotient is none',
  },
  { file: 'draft7/optional/content', reason: 'content keywords are annotations, as in 2020-12 and in Ajv' },
  {
    file: 'draft7/ref',
    group: 'ref overrides any sibling keywords',
    reason: 'keywords beside $ref apply, as in 2020-12 and in Ajv',
  },
  ...[
    'date-time',
    'duration',
    'ecmascript-regex',
    'email',
    'hostname',
    'idn-email',
    'idn-hostname',
    'iri',
    'iri-reference',
    'uri',
    'uri-reference',
    'uri-template',
    'uuid',
  ].map((format) => ({ file: `*/optional/format/${format}`, reason: sameAsAjv })),
]
