import type { Settings } from '@stoa/cms-model/settings.ts'
import type { VisitorQuestion } from '@stoa/cms-model/visitor.ts'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Shapes } from 'lucide-react'
import { contentPath } from '../content-path.ts'
import { createEntry, entriesKey } from '../entries/queries.ts'
import { settingsQuery } from '../settings/queries.ts'
import { typesQuery } from '../types/queries.ts'

type WriteDialogProps = { question: VisitorQuestion; onClose: () => void }
type TypeChoice = { value: string; label: string }

/** Starts a draft about what a visitor asked. */
export const WriteDialog = (props: WriteDialogProps) => {
  const { data: types } = useQuery(typesQuery)
  const { data: settings } = useQuery(settingsQuery)
  if (!types || !settings) return null
  const choices = types.items.flatMap(({ kind, name, label }) => (kind === 'single' ? [] : [{ value: name, label }]))
  const locale = localeOf(props.question.locale, settings)
  return <OpenWriteDialog {...props} choices={choices} locale={locale} />
}

const OpenWriteDialog = ({
  question,
  choices,
  locale,
  onClose,
}: WriteDialogProps & { choices: readonly TypeChoice[]; locale: string }) => {
  const queryClient = useQueryClient()
  const navigateTo = useNavigateTo()
  const form = useForm({
    initial: { type: choices[0]?.value ?? '', title: titleOf(question) },
    guard: false,
    onSubmit: async ({ type, title }) => {
      const { id } = await createEntry({ type, title, locale, data: {} })
      void queryClient.invalidateQueries({ queryKey: entriesKey })
      onClose()
      navigateTo(`${contentPath(type)}/${id}`)
      return undefined
    },
  })
  return (
    <FormDialog
      title="Write about this"
      description="Starts a draft. Once it's published, visitors get their answer from it."
      form={form}
      submitLabel="Create draft"
      allowUnchanged={choices.length > 0}
      onClose={onClose}
    >
      {choices.length === 0 ? (
        <EmptyState icon={<Shapes />} title="No content types yet">
          Create a content type first.
        </EmptyState>
      ) : (
        <>
          <Field label="Content type" error={form.errors.type}>
            <Select {...form.choice('type')} options={choices} />
          </Field>
          <Field label="Title" error={form.errors.title}>
            <Input {...form.text('title')} autoComplete="off" />
          </Field>
        </>
      )}
    </FormDialog>
  )
}

/** A title is on one line. */
const titleOf = ({ question }: VisitorQuestion): string => question.replace(/\s+/g, ' ')

/** The language of the question, as far as the site is written in it: pages say `en-GB` where the site says `en`. */
const localeOf = (asked: string, { locales, locale }: Pick<Settings, 'locales' | 'locale'>): string => {
  const language = (tag: string) => tag.split('-')[0]
  const wanted = [asked, locale, ...locales]
  return wanted.find((tag) => locales.includes(tag) && language(tag) === language(asked)) ?? locale
}
