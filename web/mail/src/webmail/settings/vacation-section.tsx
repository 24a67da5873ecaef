import type { Vacation } from '@stoa/mail-model/vacation.ts'
import { Status, type Tone } from '@stoa/ui/display/badge.tsx'
import { Facts } from '@stoa/ui/display/facts.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form, FormActions } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { type Form as FormState, useForm } from '@stoa/ui/form/use-form.ts'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mailboxQuery } from '../queries.ts'
import { putVacation, vacationQuery } from './queries.ts'
import { isEmptyHtml, textOfHtml } from './rich-words.ts'
import { LazyEditor, LazyView } from './small-editor-field.tsx'
import { daysOf, momentsOf, type VacationState, vacationState } from './vacation-dates.ts'

/** The automatic reply while the owner is away. */
export const VacationSection = () => {
  const query = useQuery(vacationQuery)
  return (
    <QueryBoundary query={query} name="Your automatic reply">
      {(vacation) => <VacationForm vacation={vacation} />}
    </QueryBoundary>
  )
}

type Values = {
  enabled: boolean
  first: string
  last: string
  subject: string
  text: string
  html: string
  /** The reply has formatting; its plain text is made from it. */
  formatted: boolean
}

const valuesOf = (vacation: Vacation): Values => ({
  enabled: vacation.enabled,
  ...daysOf(vacation),
  subject: vacation.subject ?? '',
  text: vacation.text ?? '',
  html: vacation.html ?? '',
  formatted: vacation.html !== null,
})

const bodyOf = (values: Values, before: Vacation) => {
  const html = values.formatted && !isEmptyHtml(values.html) ? values.html : null
  const text = html === null ? values.text : html === before.html ? (before.text ?? '') : textOfHtml(html)
  return {
    enabled: values.enabled,
    ...momentsOf(values, before),
    subject: values.subject.trim() || null,
    text: text.trim() ? text : null,
    html,
  }
}

const words: Record<VacationState, { tone: Tone; text: string }> = {
  off: { tone: 'neutral', text: 'Off' },
  waiting: { tone: 'scheduled', text: 'Scheduled' },
  on: { tone: 'live', text: 'Active' },
  over: { tone: 'draft', text: 'Ended' },
}

const VacationForm = ({ vacation }: { vacation: Vacation }) => {
  const queryClient = useQueryClient()
  const [saved, setSaved] = useState(vacation)
  const form = useForm<Values>({
    initial: valuesOf(vacation),
    validate: ({ first, last }) =>
      first && last && last < first ? { last: "The last day can't be before the first day." } : {},
    onSubmit: async (values) => {
      const next = await putVacation(bodyOf(values, saved))
      queryClient.setQueryData(vacationQuery.queryKey, next)
      setSaved(next)
      toast({ tone: 'success', title: next.enabled ? 'Automatic reply saved' : 'Automatic reply turned off' })
      return valuesOf(next)
    },
  })
  const state = words[vacationState(saved, new Date())]
  return (
    <Panel
      title="Automatic reply"
      description="Let people know that you're away."
      actions={<Status tone={state.tone}>{state.text}</Status>}
    >
      <Form form={form} className="max-w-prose gap-5">
        <CheckboxField
          {...form.flag('enabled')}
          label="Reply automatically"
          help="Each person who writes to you directly gets at most one reply a week. Mailing lists and automated mail don't get one."
        />
        <div className="flex flex-wrap gap-4">
          <Field label="First day" optional help="Leave empty to start now." error={form.errors.first} className="w-44">
            <Input {...form.text('first')} type="date" />
          </Field>
          <Field label="Last day" optional help="Leave empty to keep it on." error={form.errors.last} className="w-44">
            <Input {...form.text('last')} type="date" min={form.values.first} />
          </Field>
        </div>
        <Field
          label="Subject"
          optional
          help="Leave empty to use “Auto:” and the original subject."
          error={form.errors.subject}
        >
          <Input {...form.text('subject')} placeholder="Away until January 6" />
        </Field>
        <ReplyText form={form} />
        <Preview values={form.values} />
        <FormActions form={form} />
      </Form>
    </Panel>
  )
}

const ReplyText = ({ form }: { form: FormState<Values> }) => (
  <>
    {form.values.formatted ? (
      <Field label="Reply" error={form.errors.html ?? form.errors.text}>
        <LazyEditor label="Reply" html={form.values.html} onHtml={(html) => form.set({ html })} />
      </Field>
    ) : (
      <Field label="Reply" optional help="Leave empty for a standard reply." error={form.errors.text}>
        <Textarea {...form.text('text')} rows={6} />
      </Field>
    )}
    <CheckboxField
      checked={form.values.formatted}
      onChecked={(formatted) =>
        form.set(
          formatted
            ? { formatted, html: htmlOfText(form.values.text) }
            : { formatted, text: textOfHtml(form.values.html) },
        )
      }
      label="Rich text"
      help="Bold, lists and links. A plain text version is included."
    />
  </>
)

const STANDARD = 'I am away and will read your message when I am back.'

/** The reply as its reader sees it. */
const Preview = ({ values }: { values: Values }) => {
  const { data: mailbox } = useSuspenseQuery(mailboxQuery)
  const html = values.formatted && !isEmptyHtml(values.html) ? values.html : null
  return (
    <figure className="flex min-w-0 flex-col gap-2">
      <figcaption className="font-medium text-ink text-sm">Preview</figcaption>
      <div className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-canvas px-4 py-3">
        <Facts
          facts={[
            { label: 'From', value: mailbox.email },
            { label: 'Subject', value: values.subject.trim() || 'Auto: Lunch on Friday' },
          ]}
        />
        <div className="min-w-0 border-line border-t pt-3">
          {html === null ? (
            <p className="whitespace-pre-wrap break-words text-ink text-sm">{values.text.trim() || STANDARD}</p>
          ) : (
            <LazyView html={html} />
          )}
        </div>
      </div>
    </figure>
  )
}

/** Plain words as a start for formatting; what they contain is text, never markup. */
const htmlOfText = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      const paragraph = document.createElement('p')
      paragraph.textContent = line
      return paragraph.outerHTML
    })
    .join('')
