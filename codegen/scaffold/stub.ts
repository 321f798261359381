import { posix } from 'node:path'
import { isParameter } from '../../runtime/schema/is-parameter.ts'
import { toolFacts } from '../../runtime/schema/tool-facts.ts'
import type { Settings } from '../config/settings.ts'
import { wayWithin } from '../paths/portable-path.ts'
import { docComment } from '../print/doc-comment.ts'
import { stringLiteral } from '../print/literal.ts'
import type { ExpectedActivity } from './expected-activities.ts'

/** Words that cannot be variable names in a module. */
const reserved = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally
for function if implements import in instanceof interface let new null package private protected public return static super
switch this throw true try typeof var void while with yield`.split(/\s+/),
)

/** Prints the stub of one Activity: typed, with its parameters destructured. */
export function stubFile(expected: ExpectedActivity, settings: Settings, path: string): string {
  return `import { Activity } from ${stringLiteral(indexImport(settings, path))}\n\n${registration(expected, 'Activity')}`
}

/** Prints the statement that registers an unimplemented Activity. */
export function registration({ name, tool }: ExpectedActivity, activity: string): string {
  const { description } = tool.schema
  const bindings = parameterBindings(tool.name, tool.schema)
  const called = bindings.map(({ local }) => local).join(', ')
  const taken = bindings
    .map(({ key, local }) => (key === local ? key : `${stringKey(key)}: ${local}`))
    .join(', ')
  const parameters = bindings.length === 0 ? '' : `{ ${taken} }, _tool, _context, _run`
  // Until the user has written the Activity, each of its Calls fails with this.
  const error = `new Error(${stringLiteral(`not implemented: ${name}`)})`
  // Uses the parameters, so that the file compiles even if unused ones are errors. An error's `cause` would take `lib` ES2022.
  const thrown = bindings.length === 0 ? error : `Object.assign(${error}, { call: { ${called} } })`
  return `${docComment(description === undefined ? [] : [description])}${activity}.register(${stringLiteral(name)}, async (${parameters}) => {
  throw ${thrown}
})
`
}

/** Returns the specifier by which a file of the activities folder imports the generated `index.ts`. */
export function indexImport(settings: Settings, path: string): string {
  const { root, activitiesFolder, output, importExtension } = settings
  const to = wayWithin(root, posix.dirname(posix.join(activitiesFolder, path)), `${output}/index`)
  return `${to.startsWith('.') ? to : `./${to}`}${importExtension}`
}

interface Binding {
  readonly key: string
  readonly local: string
}

function parameterBindings(name: string, schema: ExpectedActivity['tool']['schema']): Binding[] {
  const facts = toolFacts(name, schema)
  const used = new Set(['Activity', 'Error', 'Object', 'undefined', '_tool', '_context', '_run'])
  return Object.keys(schema.properties ?? {})
    .filter((key) => isParameter(facts, key))
    .map((key) => {
      const plain = key.replace(/[^\p{ID_Continue}$]/gu, '_').replace(/^(?!\p{ID_Start}|[_$])/u, '_')
      let local = reserved.has(plain) ? `${plain}_` : plain
      while (used.has(local)) local += '_'
      used.add(local)
      return { key, local }
    })
}

function stringKey(key: string): string {
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(key) ? key : stringLiteral(key)
}
