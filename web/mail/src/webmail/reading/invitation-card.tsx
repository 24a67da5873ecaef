import type { Invitation, InvitationAnswer, Rsvp } from '@stoa/mail-model/invitations.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQueryClient } from '@tanstack/react-query'
import {
  CalendarDays,
  Check,
  CircleQuestionMark,
  MapPin,
  MessageSquarePlus,
  Repeat,
  UserRound,
  Users,
  X,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { sendMailbox } from '../api.ts'
import { fullName } from '../people.ts'
import { messageQuery } from '../queries.ts'
import { guestsOf, repeatsOf, stateOf, whenOf } from './invitation-words.ts'

type InvitationCardProps = { messageId: string; invitation: Invitation }

/** The event that a message is about, with the ways to answer. */
export const InvitationCard = ({ messageId, invitation }: InvitationCardProps) => {
  const { summary, location, organizer, comment } = invitation
  const state = stateOf(invitation)
  const isOff = state.label === 'Canceled'
  return (
    <section
      aria-label="Invitation"
      className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-canvas p-4"
    >
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone={state.tone}>{state.label}</Badge>
        <h4 dir="auto" className={cx('min-w-0 break-words font-semibold text-base text-ink', isOff && 'line-through')}>
          {summary ?? 'Untitled event'}
        </h4>
      </div>
      <dl className="flex min-w-0 flex-col gap-1.5 text-sm">
        <Line label="When" icon={<CalendarDays />} value={whenOf(invitation)} />
        <Line label="Repeats" icon={<Repeat />} value={repeatsOf(invitation)} />
        <Line label="Where" icon={<MapPin />} value={location} />
        <Line label="Organizer" icon={<UserRound />} value={organizer && `Organized by ${fullName(organizer)}`} />
        <Line label="Guests" icon={<Users />} value={guestsOf(invitation)} />
      </dl>
      {comment === null ? null : (
        <p dir="auto" className="whitespace-pre-wrap break-words border-line border-l-2 pl-3 text-muted text-sm">
          {comment}
        </p>
      )}
      {invitation.can_answer ? <Answers messageId={messageId} invitation={invitation} /> : null}
    </section>
  )
}

const Line = ({ label, icon, value }: { label: string; icon: ReactNode; value: string | null }) =>
  value === null ? null : (
    <div className="flex min-w-0 items-start gap-2">
      <dt className="flex h-5 shrink-0 items-center text-faint [&>svg]:size-4">
        {icon}
        <span className="sr-only">{label}</span>
      </dt>
      <dd dir="auto" className="min-w-0 break-words text-ink">
        {value}
      </dd>
    </div>
  )

const ANSWERS: readonly { answer: InvitationAnswer; label: string; done: string; icon: ReactNode }[] = [
  { answer: 'accepted', label: 'Accept', done: 'Invitation accepted', icon: <Check /> },
  { answer: 'tentative', label: 'Maybe', done: 'You answered “Maybe”', icon: <CircleQuestionMark /> },
  { answer: 'declined', label: 'Decline', done: 'Invitation declined', icon: <X /> },
]

/** The service takes as much. */
const MAX_NOTE = 1_000

const Answers = ({ messageId, invitation }: InvitationCardProps) => {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState<InvitationAnswer>()
  // Undefined: nobody asked for it
  const [note, setNote] = useState<string>()
  const send = async (answer: InvitationAnswer, done: string) => {
    setBusy(answer)
    try {
      await sendMailbox<Rsvp>('POST', `/api/mail/messages/${messageId}/rsvp`, {
        body: { answer, ...(note?.trim() ? { comment: note } : {}) },
      })
      setNote(undefined)
      const { queryKey } = messageQuery(messageId)
      queryClient.setQueryData(queryKey, (known) =>
        known?.invitation ? { ...known, invitation: { ...known.invitation, answer } } : known,
      )
      toast({ title: done, description: 'Your answer was sent to the organizer.' })
    } catch (error) {
      toast({ tone: 'danger', title: "Couldn't send your answer", description: messageOf(error) })
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <fieldset aria-label="Answer invitation" className="flex min-w-0 flex-wrap gap-2">
      {ANSWERS.map(({ answer, label, done, icon }) => {
        const isChosen = invitation.answer === answer
        return (
          <Button
            key={answer}
            size="sm"
            icon={icon}
            variant={isChosen ? 'primary' : 'secondary'}
            aria-pressed={isChosen}
            loading={busy === answer}
            disabled={busy !== undefined && busy !== answer}
            onClick={() => void send(answer, done)}
          >
            {label}
          </Button>
        )
      })}
      {note === undefined ? (
        <Button size="sm" variant="ghost" icon={<MessageSquarePlus />} onClick={() => setNote('')}>
          Add a note
        </Button>
      ) : (
        <Textarea
          autoFocus
          rows={2}
          maxLength={MAX_NOTE}
          aria-label="Note to the organizer"
          placeholder="Note to the organizer, sent with your answer"
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      )}
    </fieldset>
  )
}
