// Validates OpenAPI documents as a kept validator does. Arguments: their files. Prints what it said to each, as JSON.
import { readFileSync } from 'node:fs'
import { compileErrors, validate } from '@readme/openapi-parser'

const verdicts = []
for (const file of process.argv.slice(2)) {
  const result = await validate(JSON.parse(readFileSync(file, 'utf8')))
  verdicts.push(result.valid && result.warnings.length === 0 ? 'valid' : compileErrors(result))
}
console.log(JSON.stringify(verdicts))
