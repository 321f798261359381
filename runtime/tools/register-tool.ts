import { CallsheetError } from '../errors.ts'
import { own } from '../json/json.ts'
import { isSameJson } from '../json/same-json.ts'
import { isFlag, isFunction, isString } from '../problems/field-rule.ts'
import { type OptionRules, requireArgument, requireOptionsOf } from '../problems/option-problems.ts'
import { briefly } from '../problems/problem.ts'
import { refuseOtherForms } from '../schema/other-forms.ts'
import { plainToolSchema } from '../schema/plain-schema.ts'
import { isToolName } from '../schema/tool-name.ts'
import { misspeltOption, toolOptions, wordHere } from '../schema/tool-options.ts'
import { requireMetaFields } from './meta-field-rules.ts'
import { registeredEntry } from './registered-entry.ts'
import { type Enabled, generatedEntry } from './tool-entry.ts'
import { generatedToolOf } from './tool-objects.ts'
import type { ToolRegistry } from './tool-registry.ts'

/** Options of `Tool.register`. */
export interface RegisterToolOptions {
  /** Overrides the schema's own `enabled`; a function is called with the context of each Call (TOOL-9). */
  readonly enabled?: Enabled | undefined
}

/**
 * Registers a Tool at run time; it replaces an earlier one of the same name (TOOL-8).
 *
 * @throws CallsheetError `override_mismatch` if the name is that of a generated Tool and the schema differs;
 * `unsupported_schema` if the schema is not a Tool's; `invalid_options`.
 */
export function registerTool(
  tools: ToolRegistry,
  name: string,
  schema: object,
  options: RegisterToolOptions = {},
): void {
  // JavaScript callers often pass the schema alone.
  requireArgument('Tool.register', name, [isString, "a Tool's name first"])
  if (!isToolName(name)) {
    refuseOtherForms(name, schema)
    throw invalidToolName(name)
  }
  requireOptionsOf(`Tool.register("${name}"), which are not those of its schema,`, options, registerOptions)
  const own = generatedToolOf(schema)
  const plain = plainToolSchema(name, schema)
  requireToolOptions(name, schema)
  requireMetaFields(name, plain)
  const generated = tools.generated(name)
  if (!generated) {
    tools.set(own ? generatedEntry(own, options.enabled) : registeredEntry(name, plain, options.enabled))
    return
  }
  if (own !== generated && !isSameJson(plain, JSON.parse(generated.text))) {
    throw new CallsheetError(
      'override_mismatch',
      `Tool "${name}" is generated, and its types would no longer hold for another schema. Register it in a registry of its own: createRegistry({ tools: { … } }).`,
    )
  }
  tools.set(generatedEntry(generated, options.enabled))
}

/** Creates the error for a name that no Tool may have (TOOL-3). */
export function invalidToolName(name: string): CallsheetError {
  return new CallsheetError(
    'unsupported_schema',
    `${briefly(name)} is not a Tool's name: segments of letters, digits, "_" and "-" with dots between, none starting with a digit or "-".`,
  )
}

const functionGoes = ' Pass it to Tool.register(name, schema, { enabled }).'

/** Checks the schema as it was passed, not its JSON copy: that would silently drop an `enabled` that is a function. */
function requireToolOptions(name: string, schema: object): void {
  const cannot = `Tool "${name}" cannot be registered:`
  for (const word of Object.keys(schema)) {
    const here = wordHere(word, own(schema, word))
    if (here !== undefined) {
      throw new CallsheetError(
        'unsupported_schema',
        `${cannot} its \`${word}\` would have no effect. ${here}`,
      )
    }
    const meant = misspeltOption(word)
    if (meant === undefined) continue
    throw new CallsheetError(
      'unsupported_schema',
      `${cannot} it has no option ${briefly(word)}. Did you mean "${meant}"? Annotations can begin with "x-".`,
    )
  }
  for (const [option, [holds, expected]] of Object.entries(toolOptions)) {
    const value = own(schema, option)
    if (value === undefined || holds(value)) continue
    throw new CallsheetError(
      'unsupported_schema',
      `${cannot} its option \`${option}\` is ${briefly(value)}; expected ${expected}.${isFunction(value) ? functionGoes : ''}`,
    )
  }
}

/** What belongs in the schema is no option: ignoring `effects` would let a payment be raced or retried. */
const registerOptions: OptionRules<RegisterToolOptions> = {
  enabled: [(value) => isFlag(value) || isFunction(value), 'true, false or a function'],
}
