import type { EmailItem } from '@stoa/mail-model/emails.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ChoiceGroup, RadioChoice } from '@stoa/ui/form/choice-group.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { localZone, MomentInput } from '@stoa/ui/form/moment-input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { RunDialog } from '@stoa/ui/layer/run-dialog.tsx'
import { ProblemError, problemOf } from '@stoa/ui/request/problem.ts'
import { formatAbsolute, formatCount } from '@stoa/ui/text/format.ts'
import { shownLine } from '@stoa/ui/text/shown-line.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { laterTimes } from './later.ts'
import { cancelEmail, EMAILS, rescheduleEmail } from './queries.ts'

type Values = { how: 'time' | 'words'; at: string; words: string }
type Subject = Pick<EmailItem, 'id' | 'subject' | 'to' | 'cc' | 'bcc' | 'scheduled_at'>
type DialogProps = { email: Subject; onClose: () => void }

const HORIZON_MS = 30 * 86_400_000

const nameOf = ({ subject }: Subject): string => {
  const shown = shownLine(subject)
  return shown === '' ? 'this email' : `“${shown}”`
}

/** Has a mail leave at another time: from a calendar, or in words. */
export const RescheduleDialog = ({ email, onClose }: DialogProps) => {
  const queryClient = useQueryClient()
  const name = useId()
  const [now] = useState(() => new Date())
  const form = useForm<Values>({
    initial: { how: 'time', at: email.scheduled_at ?? '', words: '' },
    validate: ({ how, at, words }) =>
      how === 'time'
        ? at === ''
          ? { at: 'Choose a date and time.' }
          : {}
        : words.trim() === ''
          ? { words: 'Enter a time like “in 1 hour”.' }
          : {},
    onSubmit: async ({ how, at, words }) => {
      const moved = await rescheduleEmail(email.id, how === 'time' ? at : words.trim()).catch(blame(how))
      await queryClient.invalidateQueries({ queryKey: EMAILS })
      toast({
        tone: 'success',
        title:
          moved.scheduled_at === null
            ? 'Sending now'
            : `Rescheduled for ${formatAbsolute(new Date(moved.scheduled_at))}`,
      })
      onClose()
      return undefined
    },
  })
  const { how, at } = form.values
  return (
    <FormDialog title={`Reschedule ${nameOf(email)}`} form={form} submitLabel="Reschedule" onClose={onClose}>
      <ChoiceGroup label="Time" className="flex-row gap-5">
        <RadioChoice
          name={name}
          value="time"
          chosen={how}
          onChoose={(chosen) => form.set({ how: chosen })}
          label="Date and time"
        />
        <RadioChoice
          name={name}
          value="words"
          chosen={how}
          onChoose={(chosen) => form.set({ how: chosen })}
          label="Natural language"
        />
      </ChoiceGroup>
      {how === 'time' ? (
        <>
          <Field
            label="Send at"
            help={`Your time zone, ${localZone(at === '' ? now : new Date(at))}. Up to 30 days ahead.`}
            error={form.errors.at}
          >
            <MomentInput
              className="max-w-60"
              value={at}
              min={now}
              max={new Date(now.getTime() + HORIZON_MS)}
              onValue={(value) => form.set({ at: value })}
            />
          </Field>
          <div className="flex flex-wrap gap-2">
            {laterTimes(now).map((later) => (
              <Button key={later.label} size="sm" onClick={() => form.set({ at: later.at.toISOString() })}>
                {later.label}
              </Button>
            ))}
          </div>
        </>
      ) : (
        <Field
          label="Send"
          help="For example: in 1 hour, tomorrow at 9am, Friday at 3pm ET. UTC if you don't name a time zone."
          error={form.errors.words}
        >
          <Input {...form.text('words')} autoComplete="off" placeholder="tomorrow at 9am" />
        </Field>
      )}
    </FormDialog>
  )
}

/** An error about `scheduled_at` is shown at the input that was used. */
const blame =
  (how: Values['how']) =>
  (error: unknown): never => {
    const { message, fields } = problemOf(error)
    const about = fields.find(({ key }) => key === 'scheduled_at')
    if (!about) throw error
    throw new ProblemError(message, [{ key: how === 'time' ? 'at' : 'words', message: about.message }])
  }

export const CancelEmail = ({ email, onClose }: DialogProps) => {
  const queryClient = useQueryClient()
  const recipients = email.to.length + (email.cc?.length ?? 0) + (email.bcc?.length ?? 0)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Cancel ${nameOf(email)}?`}
      consequence={`${formatCount(recipients, 'recipient will', 'recipients will')} not get it. A canceled email can't be rescheduled.`}
      confirmLabel="Cancel sending"
      onConfirm={async () => {
        await cancelEmail(email.id)
        await queryClient.invalidateQueries({ queryKey: EMAILS })
        toast({ tone: 'success', title: `${nameOf(email)} canceled` })
      }}
    />
  )
}

type CancelEmailsProps = { emails: readonly EmailItem[]; onSettled: () => void; onClose: () => void }

export const CancelEmails = ({ emails, onSettled, onClose }: CancelEmailsProps) => {
  const queryClient = useQueryClient()
  return (
    <RunDialog
      title={`Cancel ${formatCount(emails.length, 'scheduled email', 'scheduled emails')}?`}
      consequence="The recipients won't get them. Canceled emails can't be rescheduled."
      confirmLabel="Cancel sending"
      items={emails}
      unit="emails"
      action={({ id }) => cancelEmail(id)}
      nameOf={nameOf}
      onSettled={({ done }) => {
        void queryClient.invalidateQueries({ queryKey: EMAILS })
        onSettled()
        if (done > 0) toast({ tone: 'success', title: `${formatCount(done, 'email', 'emails')} canceled` })
      }}
      onClose={onClose}
    />
  )
}
