import * as helpers from '../checks/check.ts'
import { format } from '../checks/formats.ts'
import { present } from '../checks/objects.ts'
import type { Step } from '../checks/step.ts'
import { isJsonObject, own } from '../json/json.ts'
import { pointerSegment } from '../json/json-pointer.ts'
import type { Argument, CheckTree, Guard } from './tree.ts'

const byName: Readonly<Record<string, unknown>> = { ...helpers, format }

/** A helper as printed code calls it: literals and steps follow the value. */
type AnyHelper = (value: unknown, path: string, problems: unknown, ...args: unknown[]) => boolean

/**
 * Links a tree to the functions that it calls: the counterpart of the printer, for schemas that are known at run time only.
 *
 * @param definition Returns the step of a definition. Called during a check, since definitions may be recursive.
 */
export function linkStep(tree: CheckTree, definition: (name: string) => Step): Step {
  switch (tree.op) {
    case 'all':
      return linkAll(tree.parts.map((part) => linkStep(part, definition)))
    case 'call':
      return linkCall(
        byName[tree.helper] as AnyHelper,
        tree.args.map((arg) => linkArgument(arg, definition)),
      )
    case 'definition':
      return (value, path, problems) => definition(tree.name)(value, path, problems)
    case 'when':
      return linkGuarded(tree.type, linkStep(tree.part, definition))
    case 'field':
      return linkField(tree, linkStep(tree.part, definition))
  }
}

function linkAll(steps: readonly Step[]): Step {
  return (value, path, problems) => {
    for (const step of steps) if (!step(value, path, problems)) return false
    return true
  }
}

function linkCall(helper: AnyHelper, args: readonly unknown[]): Step {
  const [first, second] = args
  if (args.length === 0) return helper as Step
  if (args.length === 1) return (value, path, problems) => helper(value, path, problems, first)
  if (args.length === 2) return (value, path, problems) => helper(value, path, problems, first, second)
  return (value, path, problems) => helper(value, path, problems, ...args)
}

function linkArgument(arg: Argument, definition: (name: string) => Step): unknown {
  if ('literal' in arg) return arg.literal
  if ('step' in arg) return linkStep(arg.step, definition)
  return arg.list.map((item) => linkArgument(item, definition))
}

function linkGuarded(type: Guard, step: Step): Step {
  if (type === 'array') return (value, path, problems) => !Array.isArray(value) || step(value, path, problems)
  if (type === 'object') return (value, path, problems) => !isJsonObject(value) || step(value, path, problems)
  return (value, path, problems) => typeof value !== type || step(value, path, problems)
}

function linkField({ name, missing }: CheckTree & { op: 'field' }, step: Step): Step {
  const segment = `/${pointerSegment(name)}`
  return (value, path, problems) => {
    const field = own(value, name)
    if (field !== undefined || missing === 'part')
      return step(field, problems ? path + segment : '', problems)
    return missing === 'pass' || present(field, problems ? path + segment : '', problems)
  }
}
