import type { Vacation } from '@stoa/mail-model/vacation.ts'
import { Status, type Tone } from '@stoa/ui/display/badge.tsx'
import { Facts } from '@stoa/ui/display/facts.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { Loaded } from '@stoa/ui/feedback/loaded.tsx'
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

/** What is answered while the owner is away. */
export const VacationSection = () => {
  const query = useQuery(vacationQuery)
  return (
    <Loaded query={query} name="Your automatic reply">
      {(vacation) => <VacationForm vacation={vacation} />}
    </Loaded>
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
  waiting: { tone: 'scheduled', text: 'Begins on the first day' },
  on: { tone: 'live', text: 'Replies are sent' },
  over: { tone: 'draft', text: 'The last day is over' },
}

const VacationForm = ({ vacation }: { vacation: Vacation }) => {
  const queryClient = useQueryClient()
  const [saved, setSaved] = useState(vacation)
  const form = useForm<Values>({
    initial: valuesOf(vacation),
    validate: ({ first, last }) =>
      first && last && last < first ? { last: 'The last day is before the first one.' } : {},
    onSubmit: async (values) => {
      const next = await putVacation(bodyOf(values, saved))
      queryClient.setQueryData(vacationQuery.queryKey, next)
      setSaved(next)
      toast({ tone: 'success', title: next.enabled ? 'Your automatic reply is saved' : 'No automatic reply is sent' })
      return valuesOf(next)
    },
  })
  const state = words[vacationState(saved, new Date())]
  return (
    <Panel
      title="Automatic reply"
      description="Whoever writes to you hears that you are away."
      actions={<Status tone={state.tone}>{state.text}</Status>}
    >
      <Form form={form} className="max-w-prose gap-5">
        <CheckboxField
          {...form.flag('enabled')}
          label="Answer while I am away"
          help="Who writes to you directly gets one reply a week at most. Mailing lists, automatic mail and senders who cannot read answers get none; neither does mail that your filters throw away."
        />
        <div className="flex flex-wrap gap-4">
          <Field label="First day" optional help="Empty: from now on." error={form.errors.first} className="w-44">
            <Input {...form.text('first')} type="date" />
          </Field>
          <Field
            label="Last day"
            optional
            help="Empty: until you switch it off."
            error={form.errors.last}
            className="w-44"
          >
            <Input {...form.text('last')} type="date" min={form.values.first} />
          </Field>
        </div>
        <Field
          label="Subject"
          optional
          help="Empty: “Auto:” and the subject of the mail that is answered."
          error={form.errors.subject}
        >
          <Input {...form.text('subject')} placeholder="I am away until 6 January" />
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
      <Field label="Reply" optional help="Empty: a sentence that says you are away." error={form.errors.text}>
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
      label="With formatting"
      help="Bold, lists and links; whoever reads plain text gets the words alone."
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
      <figcaption className="font-medium text-ink text-sm">What people get</figcaption>
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
