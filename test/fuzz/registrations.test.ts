import fc from 'fast-check'
import ts from 'typescript-6.0'
import { expect, test } from 'vitest'
import { readSource } from '../../codegen/registrations/read-source.ts'
import { often } from '../runs.ts'
import { fuzz } from './campaign.ts'

const imports = "import * as all from './generated/index.js'\n"

const seen = { registered: 0, computed: 0, mentioned: 0, within: 0 }

/** What stands in texts, comments and expressions, among it what ends or begins them elsewhere. */
const word = fc.constantFrom(
  ...[
    'a',
    "it's",
    '"',
    '`',
    "'",
    '//',
    '/*',
    '*/',
    '\\\\',
    '$',
    '{',
    '}',
    '${',
    '/',
    "Activity.register('no', f)",
  ],
)
const words = fc.array(word, { maxLength: 3 }).map((all) => all.join(' '))

/** An expression, with texts, templates and regular expressions of any of those words. */
const expression = fc.letrec<{ it: string }>((tie) => ({
  it: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom('a', '1', '{ b: 1 }'),
    fc.constant("Activity.register('in', f)"),
    words.map((text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`),
    words.map((text) => JSON.stringify(text)),
    words.map((text) => `/[${text.replaceAll(/[\\/\]]/g, '\\$&')}]x/.test(a)`),
    fc.tuple(tie('it'), tie('it')).map(([left, right]) => `(${left}) / (${right})`),
    fc.tuple(tie('it'), tie('it')).map(([left, right]) => `[${left} /* ' \` */, ${right}]`),
    tie('it').map((inner) => `() => ${inner.startsWith('{') ? `(${inner})` : inner}`),
    tie('it').map((inner) => `(() => { return ${inner} })()`),
    fc
      .tuple(words, tie('it'), words)
      .map(([before, inner, after]) => `\`${templateText(before)}\${${inner}}${templateText(after)}\``),
  ),
})).it

function templateText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')
}

/** The first argument of a registration: the name, or what computes it. */
const name = fc.oneof(
  fc.constantFrom("'a'", '"b"', '`c`'),
  fc.constantFrom("'a' + x", `\`\${x}.a\``, 'x', "x['a']", "('a')"),
)

const statement = fc.oneof(
  expression.map((it) => `const x = ${it}`),
  words.map((text) => `// ${text}`),
  words.map((text) => `/* ${text.replaceAll('*/', '')} */`),
  fc
    .tuple(
      fc.constantFrom('Activity.', 'all.Activity.', 'Activity?.', 'all?.Activity!.'),
      fc.constantFrom('', '<"a">', '?.'),
      name,
      expression,
    )
    .map(([activity, types, first, it]) => `${activity}register${types}(${first}, ${it})`),
)

fuzz(
  'ACT-3b what the look at a text finds registered is what the compiler reads as registered',
  400,
  fc.array(statement, { minLength: 1, maxLength: 5 }).map((all) => all.join('\n')),
  (text) => {
    const source = ts.createSourceFile('a.ts', `${imports}${text}`, ts.ScriptTarget.Latest)
    const { parseDiagnostics } = source as unknown as { parseDiagnostics: readonly unknown[] }
    expect(parseDiagnostics.length, text).toBe(0)
    const found = readSource(`${imports}${text}`, 'a.ts')
      .calls.map(({ name, at }) => `${at.line}:${at.column} ${name}`)
      .sort()
    const want = registered(source, source).sort()
    expect(found, text).toEqual(want)
    seen.registered += want.filter((each) => !each.endsWith(' undefined')).length
    seen.computed += want.filter((each) => each.endsWith(' undefined')).length
    if (text.includes("register('no'")) seen.mentioned++
    if (text.includes("{Activity.register('in'")) seen.within++
  },
)

function registered(node: ts.Node, source: ts.SourceFile): string[] {
  const within: string[] = []
  ts.forEachChild(node, (child) => {
    within.push(...registered(child, source))
  })
  if (!ts.isCallExpression(node)) return within
  const [name] = node.arguments
  const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source))
  const isRegistration = /Activity[?!]?\.register$/.test(node.expression.getText(source))
  if (!isRegistration || name === undefined) return within
  const bare = ts.isParenthesizedExpression(name) ? name.expression : name
  return [...within, `${line + 1}:${character + 1} ${ts.isStringLiteralLike(bare) ? bare.text : undefined}`]
}

test('the sources above are of both kinds', () => {
  const { within, ...all } = seen
  for (const count of Object.values(all)) expect(count).toBeGreaterThan(often(40))
  expect(within).toBeGreaterThan(0)
})
