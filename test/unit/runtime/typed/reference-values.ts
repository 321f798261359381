// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are template types, as the compiler prints them

import { root } from '../../../types/compilers.ts'

/** What a text stands for, given {@link kinds}. */
const values: readonly [text: string, type: string][] = [
  ['†state.user.name', 'string'],
  ['†state.user.age', 'number | undefined'],
  ['†state.user.nick', 'string | null'],
  ['†state.items', '{ id: number }[]'],
  ['†state.items.0.id', 'number | undefined'],
  ['†state.pair.1', 'number'],
  ['†state.byKey.any.n', 'number | undefined'],
  ['†state.tree.left.left.value', 'number | undefined'],
  ['†state.maybe.x', '1 | undefined'],
  ['†state.orNull.y', 'string | undefined'],
  ['†state.either.only', '1 | undefined'],
  ['†state.anything.at.all', 'unknown'],
  ['†state.user.age || †input.q', 'number | string'],
  ['†state.user.age || †state.maybe.x', 'number | 1 | undefined'],
  ['†input.q && †state.user.age', 'number | undefined'],
  ['†state.user.age && †input.q', 'string | undefined'],
  ['†state.user.age && †input.q || †state.pair.0', 'string'],
  ['†result.anything', 'unknown'],
  ["†state.user.'name'", 'unknown'],
  ['hello', "'hello'"],
  ['user.nmae', "'user.nmae'"],
  ['† see the footnote', "'† see the footnote'"],
  ['††state.user', "'††state.user'"],
]

// The compilers differ in the order of names.
const nmae = "`†state.user has no nmae. Did you mean ${'name or nick' | 'nick or name'}?`"

/** The sentence is one of these. */
const wrong: readonly [text: string, sentence: string][] = [
  ['†state.user.nmae', nmae],
  [
    '†state.zzz',
    '`†state has no zzz. Known: ${keyof State}, ${keyof State}, ${keyof State}, ${keyof State}, …`',
  ],
  ['†state.user.name.first', "'†state.user.name has no first'"],
  ['†state.items.first', "'†state.items has no first'"],
  ['†state.pair.2', "`†state.pair has no 2. Known: ${'0, 1' | '1, 0'}`"],
  ['†inptu.q', "'no inptu is declared. Did you mean input?'"],
  ['†state.user.name || †state.user.nmae', nmae],
  ['†state.user.nmae && †input.q', nmae],
  ['†state.constructor', "'__proto__, constructor and prototype are never data'"],
]

const kinds = `
interface Tree { value: number; left?: Tree }
interface State {
  user: { name: string; age?: number; nick: string | null }
  items: { id: number }[]
  byKey: Record<string, { n: number }>
  pair: [string, number]
  tree: Tree
  maybe?: { x: 1 }
  orNull: { y: string } | null
  anything: unknown
  either: { only: 1 } | { other: 2 }
}
interface Kinds { state: State; input: { q: string } }
`

/** TYPE-1, TYPE-2: the type of what a Reference stands for, an assertion for each line of the tables. */
export const referenceValues: string = `
import type { PathProblem } from '${root}/runtime/typed/problem.ts'
import type { ReferenceValue } from '${root}/runtime/typed/reference-value.ts'
${kinds}
type Equal<Left, Right> = (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false
declare function same<Left, Right>(equal: Equal<Left, Right>): void
declare function is<Left, Right>(fits: [Left] extends [Right] ? ([Left] extends [never] ? false : true) : false): void
${values.map(([text, type]) => `same<ReferenceValue<Kinds, ${JSON.stringify(text)}>, ${type}>(true)`).join('\n')}
${wrong.map(([text, sentence]) => `is<ReferenceValue<Kinds, ${JSON.stringify(text)}>, PathProblem<${sentence}>>(true)`).join('\n')}
same<ReferenceValue<Kinds, string>, unknown>(true)
same<ReferenceValue<Kinds, \`†state.items.\${number}.id\`>, number | undefined>(true)
same<ReferenceValue<Kinds, \`†state.\${string}\`>, unknown>(true)
same<ReferenceValue<{}, '†state.anything'>, unknown>(true)
`
