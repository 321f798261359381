import { type ComponentChildren, type ComponentType, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Problem } from '../../../../runtime/errors.ts'
import type { Field } from '../../form/field.ts'

/** What every control of a form needs to know besides its own value. */
export interface FormSurroundings {
  readonly definitions: Readonly<Record<string, Field>>
  /** The problems at exactly this place. */
  problemsAt(path: string): readonly Problem[]
  /** Whether somebody has tried to run it: until then what is missing is not a mistake yet. */
  readonly isAttempted: boolean
  /** Shows one place of a form; here, since what holds places is itself shown in one. */
  readonly Row: ComponentType<FieldRowProps>
}

/** What one place of a form is made of. */
export interface FieldRowProps {
  readonly name: string
  readonly shownName?: string
  readonly spokenName?: string
  /** Stands in place of the name, where the name can be changed. */
  readonly nameControl?: ComponentChildren
  readonly field: Field
  readonly isRequired: boolean
  readonly value: unknown
  readonly path: string
  readonly onValue: (value: unknown) => void
  /** Takes it out of a list or a record. */
  readonly onRemove?: (() => void) | undefined
  readonly onMoveUp?: (() => void) | undefined
}

export const FormContext = createContext<FormSurroundings>({
  definitions: {},
  problemsAt: () => [],
  isAttempted: false,
  Row: () => null,
})

export function useForm(): FormSurroundings {
  return useContext(FormContext)
}

/** What one control edits. */
export interface ControlProps<Kind extends Field['kind'] = Field['kind']> {
  readonly field: Extract<Field, { kind: Kind }>
  /** Undefined while nothing is there. */
  readonly value: unknown
  /** Undefined takes it out. */
  readonly onValue: (value: unknown) => void
  /** The JSON pointer of the value. */
  readonly path: string
  /** What it is called, for assistive technology. */
  readonly label: string
  /** The id of what describes it. */
  readonly describedBy: string | undefined
  readonly isInvalid: boolean
}
