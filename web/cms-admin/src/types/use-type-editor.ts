import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import { differs } from '@stoa/ui/form/form-errors.ts'
import { useUnsavedChanges } from '@stoa/ui/navigation/leave-guard.ts'
import { problemOf } from '@stoa/ui/request/problem.ts'
import { useShortcut } from '@stoa/ui/shortcuts/shortcuts.ts'
import { useMemo, useState } from 'react'
import type { TypeDraft } from './draft.ts'
import { type ReadType, readDraft, renameProblems } from './draft-input.ts'

type TypeEditorOptions = {
  initial: TypeDraft
  /** The draft to continue with, or undefined when the person decided not to save. */
  write: (read: ReadType) => Promise<TypeDraft | undefined>
  /** Called with what is wrong, so that the place can be shown. */
  onRefused: (problems: readonly FieldProblem[], values: TypeDraft) => void
}

export type TypeEditor = {
  values: TypeDraft
  /** Members, or what becomes of those there are: an action such as Undo may come late. */
  set: (changes: Partial<TypeDraft> | ((before: TypeDraft) => Partial<TypeDraft>)) => void
  dirty: boolean
  saving: boolean
  /** Errors with dot paths as the service names them; updated on every change after the first attempt to save. */
  problems: readonly FieldProblem[]
  /** An error of the whole type. */
  message: string | undefined
  messageAt: (key: string) => string | undefined
  save: () => Promise<void>
  /** Back to what is saved, or on to another version of it. */
  reset: (values?: TypeDraft) => void
}

/** The state of the builder: what is typed, what is wrong with it, and saving with mod+S. */
export const useTypeEditor = ({ initial, write, onRefused }: TypeEditorOptions): TypeEditor => {
  const [saved, setSaved] = useState(initial)
  const [values, setValues] = useState(initial)
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<readonly FieldProblem[]>([])
  const [message, setMessage] = useState<string>()
  const [saving, setSaving] = useState(false)
  const dirty = useMemo(() => differs(values, saved), [values, saved])
  const problems = useMemo(() => [...(tried ? problemsOf(values) : []), ...refused], [tried, values, refused])
  useUnsavedChanges(dirty)

  const reset = (next: TypeDraft = saved) => {
    setSaved(next)
    setValues(next)
    setTried(false)
    setRefused([])
    setMessage(undefined)
  }
  const save = async () => {
    if (saving) return
    const read = readDraft(values)
    setTried(true)
    setMessage(undefined)
    setRefused([])
    if ('problems' in read) return onRefused(read.problems, values)
    setSaving(true)
    try {
      const next = await write(read)
      if (next) reset(next)
    } catch (error) {
      const problem = problemOf(error)
      const fields = renameProblems(values.fields, problem.fields)
      setRefused(fields)
      if (fields.length === 0) setMessage(problem.message)
      else onRefused(fields, values)
    } finally {
      setSaving(false)
    }
  }
  useShortcut({ keys: 'mod+s', description: 'Save', group: 'Forms', onPress: () => void save() })

  return {
    values,
    set: (changes) => {
      setValues((before) => ({ ...before, ...(typeof changes === 'function' ? changes(before) : changes) }))
      setRefused([])
    },
    dirty,
    saving,
    problems,
    message,
    messageAt: (key) => problems.find((problem) => problem.key === key)?.message,
    save,
    reset,
  }
}

const problemsOf = (values: TypeDraft): readonly FieldProblem[] => {
  const read = readDraft(values)
  return 'problems' in read ? read.problems : []
}
