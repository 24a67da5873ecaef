import { type ChangeEvent, type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useUnsavedChanges } from '../navigation/leave-guard.ts'
import { problemOf } from '../request/problem.ts'
import { useShortcut } from '../shortcuts/shortcuts.ts'
import { changedMembers } from './changed-members.ts'
import { differs, type FieldErrors, splitProblem } from './form-errors.ts'

type NamesOf<V, T> = { [K in keyof V & string]: V[K] extends T ? K : never }[keyof V & string]

type FormOptions<V extends object> = {
  initial: V
  /** Checks that need no server; the server checks again. */
  validate?: (values: V) => FieldErrors<V>
  /**
   * Throws a `ProblemError` when the server refuses; its fields appear beside the inputs. What it returns are the
   * values to go on with, such as empty passwords. `saved` is what the form began with: only what differs from it was
   * changed here.
   */
  onSubmit: (values: V, saved: V) => Promise<V | undefined>
  /** Asks before unsaved changes are left, and saves with mod+S. Not for sign-in or search. */
  guard?: boolean
}

export type Form<V extends object> = {
  values: V
  errors: FieldErrors<V>
  /** An error of the whole form, when no single input is to blame. */
  problem: string | undefined
  dirty: boolean
  submitting: boolean
  set: (changes: Partial<V>) => void
  /** Props for a text input, a textarea or a password. */
  text: (name: NamesOf<V, string>) => { name: string; value: string; onChange: (event: TextChange) => void }
  /** Props for a select. */
  choice: (name: NamesOf<V, string>) => { name: string; value: string; onValue: (value: string) => void }
  /** Props for a checkbox or switch. */
  flag: (name: NamesOf<V, boolean>) => { name: string; checked: boolean; onChecked: (checked: boolean) => void }
  submit: () => Promise<void>
  /** Back to the last saved values, or to new ones. */
  reset: (values?: V) => void
  /** Spread on the form element. */
  props: { ref: RefObject<HTMLFormElement | null>; noValidate: true; onSubmit: (event: FormEvent) => void }
}

type TextChange = ChangeEvent<HTMLInputElement | HTMLTextAreaElement>

/** The state of one form: values, what changed, errors beside inputs with the focus on the first, saving. */
export const useForm = <V extends object>({ initial, validate, onSubmit, guard = true }: FormOptions<V>): Form<V> => {
  const [saved, setSaved] = useState(initial)
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<FieldErrors<V>>({})
  const [problem, setProblem] = useState<string>()
  const [submitting, setSubmitting] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const dirty = differs(values, saved)
  useUnsavedChanges(guard && dirty)
  useFocusOnError(element, errors)

  const set = (changes: Partial<V>) => {
    setValues((current) => ({ ...current, ...changes }))
    setErrors((current) => withoutKeys(current, changes))
  }
  const fail = (next: FieldErrors<V>, message: string | undefined) => {
    setErrors(next)
    setProblem(message)
  }
  const submit = async () => {
    if (submitting) return
    const found = validate?.(values) ?? {}
    if (Object.keys(found).length > 0) return fail(found, undefined)
    fail({}, undefined)
    setSubmitting(true)
    try {
      const next = (await onSubmit(values, saved)) ?? values
      setSaved(next)
      // Input typed during the save is kept
      setValues((current) => ({ ...next, ...changedMembers(current, values) }))
    } catch (error) {
      const split = splitProblem(problemOf(error), values)
      fail(split.errors, split.message)
    } finally {
      setSubmitting(false)
    }
  }
  const reset = (next: V = saved) => {
    setSaved(next)
    setValues(next)
    fail({}, undefined)
  }
  useShortcut({ keys: 'mod+s', description: 'Save', group: 'Forms', enabled: guard, onPress: () => void submit() })

  return {
    values,
    errors,
    problem,
    dirty,
    submitting,
    set,
    text: (name) => ({ name, value: String(values[name]), onChange: (event) => set(change(name, event.target.value)) }),
    choice: (name) => ({ name, value: String(values[name]), onValue: (value) => set(change(name, value)) }),
    flag: (name) => ({ name, checked: values[name] === true, onChecked: (checked) => set(change(name, checked)) }),
    submit,
    reset,
    props: {
      ref: element,
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault()
        void submit()
      },
    },
  }
}

// `name` is a member of V whose type is the value's: NamesOf says so, which TypeScript cannot follow here
const change = <V extends object>(name: string, value: string | boolean) => ({ [name]: value }) as Partial<V>

const withoutKeys = <V extends object>(errors: FieldErrors<V>, changes: Partial<V>): FieldErrors<V> => {
  if (!Object.keys(errors).some((name) => name in changes)) return errors
  const rest = { ...errors }
  for (const name of Object.keys(changes)) Reflect.deleteProperty(rest, name)
  return rest
}

const useFocusOnError = (element: RefObject<HTMLFormElement | null>, errors: object): void => {
  const seen = useRef(errors)
  useEffect(() => {
    const before = Object.keys(seen.current).length
    seen.current = errors
    // Typing clears one error at a time: the focus must not jump then
    if (Object.keys(errors).length <= before && before > 0) return
    element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [element, errors])
}
