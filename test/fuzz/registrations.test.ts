import fc from 'fast-check'
import ts from 'typescript-6.0'
import { expect, test } from 'vitest'
import { registrationsIn } from '../../codegen/registrations/registrations-in.ts'
import { often } from '../runs.ts'
import { fuzz } from './campaign.ts'

const imports = "import * as all from './generated/index.js'\n"

const seen = { registered: 0, computed: 0, mentioned: 0 }

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
    .tuple(fc.constantFrom('Activity', 'all.Activity'), fc.constantFrom('', '<"a">'), name, expression)
    .map(([activity, types, first, it]) => `${activity}.register${types}(${first}, ${it})`),
)

fuzz(
  'ACT-3b what the look at a text finds registered is what the compiler reads as registered',
  400,
  fc.array(statement, { minLength: 1, maxLength: 5 }).map((all) => all.join('\n')),
  (text) => {
    const source = ts.createSourceFile('a.ts', `${imports}${text}`, ts.ScriptTarget.Latest)
    const { parseDiagnostics } = source as unknown as { parseDiagnostics: readonly unknown[] }
    expect(parseDiagnostics.length, text).toBe(0)
    const { registrations, computed } = registrationsIn(`${imports}${text}`, 'a.ts')
    const found = [...registrations, ...computed.map((at) => ({ name: undefined, at }))]
      .sort((left, right) => left.at.line - right.at.line)
      .map(({ name, at }) => `${name} ${at.line}`)
    const want = registered(source)
    expect(found, text).toEqual(want)
    seen.registered += want.filter((each) => !each.startsWith('undefined')).length
    seen.computed += want.filter((each) => each.startsWith('undefined')).length
    if (text.includes("register('no'")) seen.mentioned++
  },
)

function registered(source: ts.SourceFile): string[] {
  return source.statements.flatMap((each) => {
    if (!ts.isExpressionStatement(each) || !ts.isCallExpression(each.expression)) return []
    const [name] = each.expression.arguments
    const { line } = source.getLineAndCharacterOfPosition(each.getStart(source))
    const isRegistration = each.expression.expression.getText(source).endsWith('Activity.register')
    if (!isRegistration || name === undefined) return []
    return [`${ts.isStringLiteralLike(name) ? name.text : undefined} ${line + 1}`]
  })
}

test('the sources above are of both kinds', () => {
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(often(40))
})
