import { root } from '../../../types/compilers.ts'
import { grammar } from '../context/reference/grammar.ts'

const source = (module: string): string => JSON.stringify(`${root}/runtime/typed/${module}.ts`)

/** One assertion for each line of the table that the run-time parser is tested with. */
const assertions = grammar.map(({ text, want, shows, ...rest }) => {
  const quotes = text.includes("'")
  const parsed = `ExpressionType<${JSON.stringify(want)}, ${!('outputOnly' in rest)}>`
  const wanted = quotes ? 'Unsaid' : want === null ? 'null' : parsed
  return `same<ParseExpression<${JSON.stringify(text)}>, ${wanted}>(true) // ${shows}`
})

/** TYPE-1: the type-level parser reads the grammar’s table as the run-time parser does. */
export const grammarTwin: string = `
import type { ExpressionType, ParseExpression, Unsaid } from ${source('parse-expression')}
type Equal<Left, Right> = (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false
declare function same<Left, Right>(equal: Equal<Left, Right>): void
${assertions.join('\n')}
same<ParseExpression<string>, Unsaid>(true)
`
