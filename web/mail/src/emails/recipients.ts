import type { Email, EmailEvent, EmailEventType } from '@stoa/mail-model/emails.ts'
import { shownLine } from '@stoa/ui/text/shown-line.ts'

export type RecipientField = 'to' | 'cc' | 'bcc'

/** One step of a timeline. Readings of the same kind stand together: a mail can be opened a hundred times. */
export type EventStep = EmailEvent & { times: number; first_at: string }

/** `state` is the newest event of this recipient alone. */
export type Recipient = {
  address: string
  name: string
  field: RecipientField
  state: EmailEventType | null
  steps: readonly EventStep[]
}

/** Events of a mail as a whole, and of each of its recipients. */
export type History = { whole: readonly EventStep[]; recipients: readonly Recipient[] }

type EmailHistory = Pick<Email, 'to' | 'cc' | 'bcc' | 'events'>

export const historyOf = ({ to, cc, bcc, events }: EmailHistory): History => {
  const recipients = new Map<string, Recipient>()
  for (const [field, list] of [
    ['to', to],
    ['cc', cc ?? []],
    ['bcc', bcc ?? []],
  ] as const)
    for (const written of list) {
      const { address, name } = readAddress(written)
      const key = address.toLowerCase()
      // On several lists it still gets the mail once
      if (recipients.has(key)) continue
      const own = events.filter(({ recipient }) => recipient?.toLowerCase() === key)
      recipients.set(key, { address, name, field, state: own.at(-1)?.type ?? null, steps: together(own) })
    }
  const isKnown = ({ recipient }: EmailEvent) => recipient !== null && recipients.has(recipient.toLowerCase())
  return { whole: together(events.filter((event) => !isKnown(event))), recipients: [...recipients.values()] }
}

/** All events of a mail to one person on a single timeline. */
export const singleLine = (events: readonly EmailEvent[]): readonly EventStep[] => together(events)

/** `Ada <ada@example.org>` or `ada@example.org`. */
export const readAddress = (written: string): { address: string; name: string } => {
  const [, name = '', address = ''] = /^\s*(.*?)\s*<([^<>]+)>\s*$/.exec(written) ?? []
  return address === '' ? { address: written.trim(), name: '' } : { address, name: name.replace(/^"(.*)"$/, '$1') }
}

/** The subject as it may be shown; programs put in what strangers typed. */
export const subjectOf = ({ subject }: Pick<Email, 'subject'>): string => shownLine(subject) || '(no subject)'

const READINGS: ReadonlySet<EmailEventType> = new Set(['opened', 'clicked'])

const together = (events: readonly EmailEvent[]): EventStep[] => {
  const steps: EventStep[] = []
  const readings = new Map<string, EventStep>()
  for (const event of events) {
    const key = `${event.type} ${event.recipient} ${event.detail}`
    const known = READINGS.has(event.type) ? readings.get(key) : undefined
    if (known) {
      known.times += 1
      known.created_at = event.created_at
      continue
    }
    const step = { ...event, times: 1, first_at: event.created_at }
    readings.set(key, step)
    steps.push(step)
  }
  return steps
}
