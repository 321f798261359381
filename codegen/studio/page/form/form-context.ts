import { type ComponentChildren, type ComponentType, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Problem } from '../../../../runtime/errors.ts'
import type { Field } from '../../form/field.ts'

/** The shared data of a form's controls. */
export interface FormSurroundings {
  readonly definitions: Readonly<Record<string, Field>>
  /** The problems at exactly this place. */
  problemsAt(path: string): readonly Problem[]
  /** Whether the user has tried to run the Call; until then missing values are not shown as problems. */
  readonly isAttempted: boolean
  /** The component for one location of a form; passed in the context since rows contain each other. */
  readonly Row: ComponentType<FieldRowProps>
}

/** The properties of one location of a form. */
export interface FieldRowProps {
  readonly name: string
  readonly shownName?: string
  readonly spokenName?: string
  /** Replaces the name if it can be changed. */
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

/** The properties of one control. */
export interface ControlProps<Kind extends Field['kind'] = Field['kind']> {
  readonly field: Extract<Field, { kind: Kind }>
  /** undefined while there is no value. */
  readonly value: unknown
  /** Sets the value; undefined removes it. */
  readonly onValue: (value: unknown) => void
  /** The JSON pointer of the value. */
  readonly path: string
  /** The label for assistive technology. */
  readonly label: string
  /** The id of the element that describes it. */
  readonly describedBy: string | undefined
  readonly isInvalid: boolean
}
