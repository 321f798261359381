import type { Finding } from '../model.ts'

/** Advice for sources that the user does not control. */
export const inCopy = 'Where the source is not yours, do it in a copy of the JSON and import that.'

/** The severity and fix of each rule of the importer. */
const rules: Readonly<Record<ImportRule, Pick<Finding, 'severity' | 'fix'>>> = {
  'import-unreadable': {
    severity: 'error',
    fix: 'Pass an MCP tools/list result, a tools array of OpenAI, Anthropic, Gemini or Bedrock, or JSON Schemas (one, a list, or by name).',
  },
  'import-empty': {
    severity: 'warning',
    fix: 'Ask the server again, after "initialize" and with the headers that it needs: it may list its tools only then.',
  },
  'import-incomplete': {
    severity: 'warning',
    fix: 'Ask for the next page by this cursor, and import it too.',
  },
  'import-not-a-function': {
    severity: 'warning',
    fix: 'Nothing to do if it runs at the provider: it is left out, and the other tools are imported.',
  },
  'import-name': {
    severity: 'error',
    fix: 'Rename the tool at its source, or pass --rename, which imports it under the nearest legal name.',
  },
  'import-renamed': { severity: 'note', fix: 'Map the name back where Calls go to the tool.' },
  'import-duplicate': {
    severity: 'error',
    fix: `Rename one of the two at its source, or pass --rename, which gives the second a name of its own. ${inCopy}`,
  },
  'import-meta-field': {
    severity: 'error',
    fix: 'Rename the parameter at its source, or write this definition by hand and map the name in its Activity.',
  },
  'import-not-an-object': {
    severity: 'error',
    fix: `Wrap the schema in an object with one property. ${inCopy}`,
  },
  'import-schema': { severity: 'error', fix: `Correct the schema at its source. ${inCopy}` },
  'import-reference': {
    severity: 'error',
    fix: `Write it as "#/$defs/Name", with the schema under that name in "$defs" of the tool's own schema. ${inCopy}`,
  },
  'import-unsatisfiable': {
    severity: 'error',
    fix: `No value could ever be valid there: correct the schema at its source. The other tools were imported. ${inCopy}`,
  },
  'import-slow-pattern': {
    severity: 'error',
    fix: `Write the pattern so that a text matches in one way only, such as "a+" for "(a+)+". ${inCopy}`,
  },
  'import-example': { severity: 'note', fix: 'Nothing to do: the tool was imported without this example.' },
  'import-dropped': { severity: 'note', fix: 'Nothing to do: no validator reads it.' },
  'import-misspelt': {
    severity: 'warning',
    fix: `Correct the name at its source, if that is what is meant. ${inCopy}`,
  },
  'import-failed': {
    severity: 'error',
    fix: 'Please report it with this tool. The other tools were imported.',
  },
  'import-hints': {
    severity: 'note',
    fix: 'Check "effects" in the definitions before anything is retried or raced.',
  },
}

export type ImportRule =
  | 'import-unreadable'
  | 'import-empty'
  | 'import-incomplete'
  | 'import-not-a-function'
  | 'import-name'
  | 'import-renamed'
  | 'import-duplicate'
  | 'import-meta-field'
  | 'import-not-an-object'
  | 'import-schema'
  | 'import-reference'
  | 'import-unsatisfiable'
  | 'import-slow-pattern'
  | 'import-example'
  | 'import-dropped'
  | 'import-misspelt'
  | 'import-failed'
  | 'import-hints'

/** Creates a finding of one rule about one tool. */
export function importFinding(
  rule: ImportRule,
  message: string,
  about: {
    readonly tool?: string | undefined
    readonly pointer?: string | undefined
    readonly fix?: string
  } = {},
): Finding {
  const { tool, pointer, fix } = about
  return {
    rule,
    severity: rules[rule].severity,
    message,
    fix: fix ?? rules[rule].fix,
    ...(tool !== undefined && { tool }),
    ...(pointer !== undefined && { pointer }),
  }
}

/** Prints an untrusted name or value for a message: quoted, escaped and shortened. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}
