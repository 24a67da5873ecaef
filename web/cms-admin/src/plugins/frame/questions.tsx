import type { Ask, PickedEntry, PickedMedia } from '@stoa/cms-plugin/bridge-protocol.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { EntryCombobox } from '../../fields/reference/entry-combobox.tsx'
import { MediaPicker } from '../../media/picker/media-picker.tsx'
import { typesQuery } from '../../types/queries.ts'

type Question = Extract<Ask, { ask: 'pickMedia' | 'pickEntry' | 'confirm' }>

type Open = { question: Question; answer: (value: PickedMedia | PickedEntry | boolean | null) => void }

type Questions = {
  /** Asks the person; null or false when they close it. One question at a time. */
  ask: (question: Question) => Promise<unknown>
  /** To be rendered beside the frame. */
  dialog: ReactNode
}

/** What a plugin may ask the person, in the admin's own dialogs: the frame gets the answer and nothing else. */
export const useQuestions = (plugin: string): Questions => {
  const [open, setOpen] = useState<Open>()
  const isOpen = useRef(false)
  const ask = (question: Question) =>
    new Promise<unknown>((resolve) => {
      if (isOpen.current) return resolve(question.ask === 'confirm' ? false : null)
      isOpen.current = true
      setOpen({
        question,
        answer: (value) => {
          isOpen.current = false
          setOpen(undefined)
          resolve(value)
        },
      })
    })
  return { ask, dialog: open ? <QuestionDialog plugin={plugin} open={open} /> : null }
}

const accepts = { image: ['image/'], video: ['video/'] } as const

const QuestionDialog = ({ plugin, open: { question, answer } }: { plugin: string; open: Open }) => {
  if (question.ask === 'pickEntry') return <EntryDialog types={question.types} onAnswer={answer} />
  if (question.ask === 'confirm')
    return (
      <ConfirmDialog
        open
        onOpenChange={() => answer(false)}
        title={question.title}
        consequence={question.text ?? `Asked by the plugin “${plugin}”.`}
        confirmLabel={question.button ?? 'Continue'}
        tone={question.isDangerous ? 'danger' : 'primary'}
        onConfirm={() => answer(true)}
      />
    )
  const { kind = 'any' } = question
  return (
    <MediaPicker
      open
      onOpenChange={() => answer(null)}
      {...(kind === 'any' ? {} : { accept: accepts[kind] })}
      onPick={([media]) => {
        if (!media) return
        const { id, filename, url, alt } = media
        answer({ id, filename, kind: media.mimeType.split('/')[0] ?? '', url, alt: alt === '' ? null : alt })
      }}
    />
  )
}

type EntryDialogProps = { types: readonly string[] | undefined; onAnswer: (entry: PickedEntry | null) => void }

const EntryDialog = ({ types, onAnswer }: EntryDialogProps) => {
  const { data } = useQuery(typesQuery)
  const offered = (data?.items ?? []).filter(({ name }) => types === undefined || types.includes(name))
  const [chosen, setChosen] = useState('')
  const type = chosen === '' ? offered[0]?.name : chosen
  return (
    <Dialog open onOpenChange={() => onAnswer(null)} title="Choose an entry">
      <div className="flex min-h-72 flex-col gap-4">
        {offered.length > 1 ? (
          <Field label="Content type">
            <Select
              value={type ?? ''}
              options={offered.map(({ name, labelPlural }) => ({ value: name, label: labelPlural }))}
              onValue={setChosen}
            />
          </Field>
        ) : null}
        {type === undefined ? (
          <p className="text-muted text-sm">No content of this type</p>
        ) : (
          <EntryCombobox
            key={type}
            type={type}
            label="Entry"
            without={[]}
            autoFocus
            onChoose={({ id, type: name, slug, title, status }) => onAnswer({ id, type: name, slug, title, status })}
          />
        )}
      </div>
    </Dialog>
  )
}
