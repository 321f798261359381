import { describe, expect, test } from 'vitest'
import { declaredProject } from '../unit/runtime/typed/declared-project.ts'
import { grammarTwin } from '../unit/runtime/typed/grammar-twin.ts'
import { referenceValues } from '../unit/runtime/typed/reference-values.ts'
import { undeclaredProject } from '../unit/runtime/typed/undeclared-project.ts'
import { compilersToTry, type Diagnostic, typeCheck } from './compilers.ts'
import { generatedSample, sampleProject } from './sample-project.ts'
import { rightSources, wrongSources } from './type-project.ts'

const projects = { sample: sampleProject, declared: declaredProject, undeclared: undeclaredProject }

const right = {
  ...rightSources(projects),
  'grammar-twin.ts': grammarTwin,
  'reference-values.ts': referenceValues,
}

/** What is told, and of what source. */
const shown = ({ file, line, code, message }: Diagnostic): string => {
  const source = (right as Readonly<Record<string, string>>)[file]?.split('\n')[line - 1] ?? ''
  return `${file}: ${source.trim()} // ${code} ${message}`
}

/** TYPE-7: what a first line never names. */
const internalTypes =
  /\b(BuiltCall|NoInfer|Told|Wrong\w+|PathProblem|Check\w+|ActivityResult|ActivityFunction)</

describe.each(compilersToTry)('TypeScript %s', (version) => {
  // A compiler writes declarations, and says what is wrong with them, only where it has no other errors.
  test('TYPE-1 to TYPE-7: what is right compiles, and its declarations can be written', () => {
    expect(typeCheck(version, right, { declaration: true }).map(shown)).toEqual([])
  }, 180_000)

  test('GEN-8 generated code checks under isolatedDeclarations, and with a bundler', () => {
    const options = {
      module: 'esnext',
      moduleResolution: 'bundler',
      isolatedDeclarations: true,
      declaration: true,
    }
    expect(typeCheck(version, generatedSample(), options)).toEqual([])
  }, 180_000)

  describe('says what is wrong with', () => {
    let found: readonly Diagnostic[] | undefined
    const diagnostics = (): readonly Diagnostic[] => {
      found ??= typeCheck(version, wrongSources(projects))
      return found
    }
    const cases = Object.entries(projects).flatMap(([folder, { wrong }]) =>
      Object.entries(wrong).map(([name, misuse], index) => ({ folder, name, line: index + 2, ...misuse })),
    )

    test.each(cases)(
      '$name, in the $folder project',
      ({ folder, line, code, tells, below }) => {
        const own = diagnostics().filter((each) => each.file === `${folder}/wrong.ts` && each.line === line)
        expect(own).toHaveLength(1)
        expect(code.split(' ')).toContain(own[0]?.code)
        const message = own[0]?.message ?? ''
        const [first = ''] = message.split('\n')
        for (const fragment of tells) expect(below ? message : first).toContain(fragment)
        expect(first.length).toBeLessThan(300)
        if (!below) expect(first).not.toMatch(internalTypes)
      },
      60_000,
    )

    test('nothing but these', () => {
      const lines = cases.map(({ folder, line }) => `${folder}/wrong.ts ${line}`)
      expect(diagnostics().filter(({ file, line }) => !lines.includes(`${file} ${line}`))).toEqual([])
    }, 180_000)
  })
})
