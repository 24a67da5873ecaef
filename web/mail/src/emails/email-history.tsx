import type { Email } from '@stoa/mail-model/emails.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge, Status } from '@stoa/ui/display/badge.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { Timeline } from '@stoa/ui/display/timeline.tsx'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { describeEvent, stepsOf } from './event-steps.tsx'
import { historyOf, type Recipient, singleLine } from './recipients.ts'

const SHOWN_AT_FIRST = 8

/** The timeline of a mail, for each of its recipients. */
export const EmailHistory = ({ email }: { email: Email }) => {
  const { whole, recipients } = historyOf(email)
  const [only] = recipients
  const leavesAt = email.scheduled_at
  if (recipients.length === 1 && only)
    return (
      <Panel title="Timeline">
        <Timeline label="Events" steps={stepsOf(singleLine(email.events), { address: only.address, leavesAt })} />
      </Panel>
    )
  return (
    <>
      <Panel title="Timeline">
        <Timeline label="Email events" steps={stepsOf(whole, { address: undefined, leavesAt })} />
      </Panel>
      <Recipients recipients={recipients} />
    </>
  )
}

const BAD: ReadonlySet<string | null> = new Set(['bounced', 'failed', 'complained', 'delivery_delayed', 'suppressed'])

const Recipients = ({ recipients }: { recipients: readonly Recipient[] }) => {
  const [all, setAll] = useState(false)
  // Failed recipients come first
  const ordered = [
    ...recipients.filter(({ state }) => BAD.has(state)),
    ...recipients.filter(({ state }) => !BAD.has(state)),
  ]
  const shown = all ? ordered : ordered.slice(0, SHOWN_AT_FIRST)
  return (
    <Panel title="Recipients" description={`${recipients.length} recipients, each delivered separately.`} flush>
      <ul className="divide-y divide-line">
        {shown.map((recipient) => (
          <li key={recipient.address}>
            <OneRecipient recipient={recipient} />
          </li>
        ))}
      </ul>
      {shown.length < ordered.length ? (
        <div className="border-line border-t px-5 py-2.5">
          <Button size="sm" variant="ghost" onClick={() => setAll(true)}>
            Show all {ordered.length}
          </Button>
        </div>
      ) : null}
    </Panel>
  )
}

const OneRecipient = ({ recipient }: { recipient: Recipient }) => {
  const { address, field, state, steps } = recipient
  const { label, tone } = state === null ? { label: 'Waiting', tone: 'neutral' as const } : describeEvent(state)
  return (
    <details open={BAD.has(state)} className="group">
      <summary className="flex cursor-pointer list-none items-center gap-2 px-4 py-2.5 text-sm outline-offset-[-2px] hover:bg-hover [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 shrink-0 text-faint group-open:rotate-90" />
        <span className="min-w-0 flex-1 truncate text-ink" title={address}>
          {address}
        </span>
        {field === 'to' ? null : <Badge>{field === 'cc' ? 'Cc' : 'Bcc'}</Badge>}
        <Status tone={tone}>{label}</Status>
      </summary>
      <div className="px-5 pt-2 pb-4">
        {steps.length === 0 ? (
          <p className="text-muted text-sm">No events yet.</p>
        ) : (
          <Timeline label={`Events for ${address}`} steps={stepsOf(steps, { address, leavesAt: null })} />
        )}
      </div>
    </details>
  )
}
