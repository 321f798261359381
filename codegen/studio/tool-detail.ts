import type { Problem } from '../../runtime/errors.ts'
import { isJsonObject, own } from '../../runtime/json/json.ts'
import { pointerNames } from '../../runtime/json/pointer-names.ts'
import { callSchema } from '../../runtime/schema/call-schema.ts'
import { fixedValue } from '../../runtime/schema/fixed-value.ts'
import { isFreeField } from '../../runtime/schema/meta-fields.ts'
import { outputSchema } from '../../runtime/schema/output-schema.ts'
import type { JsonSchema, Schema, ToolSchema } from '../../runtime/schema/schema.ts'
import { toolExamples } from '../../runtime/schema/tool-examples.ts'
import { toolLabel } from '../../runtime/schema/tool-label.ts'
import type { Check } from '../../runtime/schema/validator.ts'
import { interpretedCallCheck } from '../../runtime/tools/interpreted-checks.ts'
import type { BenchTool } from './bench/workbench.ts'
import type { Form } from './form/field.ts'
import { formOf } from './form/form-of.ts'
import type { ToolDetail, ToolLine } from './wire/tools.ts'

/** A Tool with what is made of it when somebody looks: its form, its examples, its check. */
export class StudioTool {
  readonly #tool: BenchTool
  #form: Form | undefined
  #check: Check | undefined

  constructor(tool: BenchTool) {
    this.#tool = tool
  }

  get line(): ToolLine {
    const { name, schema } = this.#tool
    return {
      name,
      ...toolLabel(schema),
      isLatent: this.#isAnswered,
    }
  }

  get detail(): ToolDetail {
    const { name, schema } = this.#tool
    this.#form ??= formOf(this.#asked)
    const { root, definitions } = this.#form
    const output = outputSchema(schema)
    return {
      ...this.line,
      form:
        root.kind === 'object'
          ? { ...root, properties: root.properties.filter((each) => this.#isShown(each.name)) }
          : root,
      definitions,
      schema,
      ...(output !== undefined && { outputSchema: output }),
      examples: toolExamples(name, schema).map(({ _tool, ...parameters }) => parameters),
    }
  }

  /** What the Tool's check says of a Call's parameters. What a Reference stands for is known only when the Call runs. */
  problems(parameters: object): Problem[] {
    this.#check ??= interpretedCallCheck(this.#tool.schema)
    const problems: Problem[] = []
    if (this.#check(parameters, '', problems)) return []
    return problems.filter(({ path }) => !isReferred(parameters, path))
  }

  /** What the form asks for: what the check does, and of a Tool that a model answers the output, to play the model. */
  get #asked(): Schema {
    const { schema } = callSchema(this.#tool.schema)
    const output = this.#isAnswered ? outputSchema(this.#tool.schema) : undefined
    if (output === undefined) return schema
    const { $defs: inner, ...stated } = isJsonObject(output) ? (output as JsonSchema) : { allOf: [output] }
    const words = { title: 'Output', description: 'Answers in place of the model.' }
    return {
      ...schema,
      properties: { ...schema.properties, _output: { ...words, ...stated } },
      $defs: { ...inner, ...schema.$defs },
    } as JsonSchema
  }

  /** What every Call may carry the form has only where it is needed. */
  #isShown(name: string): boolean {
    return !isFreeField(name) || (name === '_output' && this.#isAnswered && this.#hasOutput)
  }

  /** True where a model answers: for a Tool that writes nobody does, unless it says so itself (ACT-3b). */
  get #isAnswered(): boolean {
    const { activity, schema } = this.#tool
    return activity === '' && (schema.effects !== 'write' || fixedValue(schema.properties?._activity) === '')
  }

  get #hasOutput(): boolean {
    return outputSchema(this.#tool.schema as ToolSchema) !== undefined
  }
}

/** Whether the place, or one that it is in, holds a Reference. */
function isReferred(value: unknown, path: string): boolean {
  let part = value
  for (const name of pointerNames(path)) {
    if (typeof part !== 'object' || part === null) break
    part = own(part, name)
  }
  return typeof part === 'string' && part.startsWith('†') && !part.startsWith('††')
}
