import { Button } from '@stoa/ui/button/button.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { type ReactNode, useRef, useState } from 'react'
import { readConflict } from './api.ts'

type Choice = 'overwrite' | 'reload' | 'cancel'
type Question = { by: string | undefined; answer: (choice: Choice) => void }

type Save<R> = {
  /** The version that the person has seen. */
  version: number
  write: (version: number | 'any') => Promise<R>
  /** The record as it is now, for those who give up theirs. */
  read: () => Promise<R>
}

export type VersionedSave = {
  /** Saves, and asks when someone else was quicker. `saved` is false when the person took the other version. */
  save: <R>(save: Save<R>) => Promise<{ record: R; saved: boolean }>
  /** To be rendered beside the form. */
  dialog: ReactNode
}

/** Saving a record that others may have changed in the meantime; `thing` names it: "the key “Website”". */
export const useVersionedSave = (thing: string): VersionedSave => {
  const [question, setQuestion] = useState<Question>()
  const ask = (by: string | undefined) =>
    new Promise<Choice>((resolve) => {
      const answer = (choice: Choice) => {
        setQuestion(undefined)
        resolve(choice)
      }
      setQuestion({ by, answer })
    })
  const save: VersionedSave['save'] = async ({ version, write, read }) => {
    try {
      return { record: await write(version), saved: true }
    } catch (error) {
      const conflict = readConflict(error)
      if (!conflict) throw error
      const choice = await ask(conflict.by)
      if (choice === 'overwrite') return { record: await write('any'), saved: true }
      if (choice === 'reload') return { record: await read(), saved: false }
      throw new ProblemError(`Not saved: ${conflict.by ?? 'someone else'} changed ${thing} in the meantime.`)
    }
  }
  return { save, dialog: question ? <ConflictDialog thing={thing} question={question} /> : null }
}

const ConflictDialog = ({ thing, question }: { thing: string; question: Question }) => {
  const keep = useRef<HTMLButtonElement>(null)
  const { by, answer } = question
  return (
    <Dialog
      open
      onOpenChange={() => answer('cancel')}
      role="alertdialog"
      title={by === undefined ? 'Someone else saved first' : `${by} saved first`}
      description={
        <>
          {by ?? 'Someone else'} changed {thing} after you opened it. Your changes aren't saved yet.
        </>
      }
      initialFocus={keep}
      footer={
        <>
          <Button ref={keep} onClick={() => answer('cancel')}>
            Keep editing
          </Button>
          <Button onClick={() => answer('reload')}>Load theirs</Button>
          <Button variant="danger" onClick={() => answer('overwrite')}>
            Overwrite with mine
          </Button>
        </>
      }
    >
      <p className="text-muted">
        “Load theirs” discards your changes. “Overwrite with mine” replaces theirs where you both made changes.
      </p>
    </Dialog>
  )
}
