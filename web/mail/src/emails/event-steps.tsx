import type { EmailEventType } from '@stoa/mail-model/emails.ts'
import type { Tone } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import type { TimelineStep } from '@stoa/ui/display/timeline.tsx'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { formatAbsolute } from '@stoa/ui/text/format.ts'
import {
  Ban,
  CalendarClock,
  CircleCheck,
  Clock,
  Eye,
  Hourglass,
  Inbox,
  MousePointerClick,
  Send,
  ShieldX,
  ThumbsDown,
  Undo2,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { EventStep } from './recipients.ts'

type Words = { label: string; tone: Tone; icon: ReactNode; note?: string }

const words: Record<EmailEventType, Words> = {
  queued: { label: 'Accepted', tone: 'neutral', icon: <Inbox /> },
  scheduled: { label: 'Scheduled', tone: 'scheduled', icon: <CalendarClock /> },
  sent: { label: 'Sending', tone: 'accent', icon: <Send /> },
  delivered: { label: 'Delivered', tone: 'live', icon: <CircleCheck /> },
  delivery_delayed: {
    label: 'Delayed',
    tone: 'draft',
    icon: <Hourglass />,
    note: 'The server asked us to try later. We retry automatically for five days.',
  },
  bounced: { label: 'Bounced', tone: 'failed', icon: <Undo2 />, note: 'The server rejected or returned the email.' },
  complained: {
    label: 'Complained',
    tone: 'failed',
    icon: <ThumbsDown />,
    note: "The recipient marked the email as spam. We won't send to this address until you remove it from the suppression list.",
  },
  failed: { label: 'Failed', tone: 'failed', icon: <ShieldX />, note: "We won't retry." },
  suppressed: { label: 'Not sent', tone: 'draft', icon: <Ban /> },
  canceled: { label: 'Canceled', tone: 'neutral', icon: <Clock /> },
  opened: { label: 'Opened', tone: 'accent', icon: <Eye /> },
  clicked: { label: 'Clicked', tone: 'accent', icon: <MousePointerClick /> },
}

/** An event in a word and a color, for a recipient in a list. */
export const describeEvent = (type: EmailEventType): { label: string; tone: Tone } => words[type]

/** Events as the steps of a timeline; `address` is whom a suppression would be about. */
export const stepsOf = (
  steps: readonly EventStep[],
  { address, leavesAt }: { address: string | undefined; leavesAt: string | null },
): TimelineStep[] => {
  const last = steps.findLastIndex(({ type }) => type === 'scheduled')
  return steps.map((step, index) => ({
    key: `${step.type} ${step.first_at} ${step.recipient} ${step.detail}`,
    tone: words[step.type].tone,
    icon: words[step.type].icon,
    title: titleOf(step),
    at: <RelativeTime at={step.created_at} />,
    children: notesOf(step, {
      address: step.recipient ?? address,
      leavesAt: index === last ? leavesAt : null,
    }),
  }))
}

const titleOf = ({ type, times }: EventStep): string =>
  times === 1 ? words[type].label : `${words[type].label} ${times} times`

const notesOf = (step: EventStep, { address, leavesAt }: { address: string | undefined; leavesAt: string | null }) => {
  const { note } = words[step.type]
  const withheld = step.type === 'suppressed'
  const parts = [
    step.detail === null || withheld ? null : <Said key="said">{step.detail}</Said>,
    leavesAt === null ? null : <span key="leaves">{`Scheduled for ${formatAbsolute(new Date(leavesAt))}`}</span>,
    withheld ? <Withheld key="withheld" reason={step.detail} address={address} /> : null,
    note === undefined ? null : <span key="note">{note}</span>,
    (step.type === 'bounced' || step.type === 'complained') && address !== undefined ? (
      <SuppressionLink key="link" address={address}>
        View suppression
      </SuppressionLink>
    ) : null,
  ].filter((part) => part !== null)
  return parts.length === 0 ? undefined : parts
}

/** The words of the other server, or the link that was followed: as they came, and never a link of ours. */
const Said = ({ children }: { children: string }) => (
  <code className="whitespace-pre-wrap break-words rounded-md bg-sunken px-2 py-1 font-mono text-ink text-xs">
    {children}
  </code>
)

const reasons: Readonly<Record<string, string>> = {
  previous_bounce: 'An earlier email bounced, so this address is on the suppression list.',
  previous_complaint: 'The recipient marked an earlier email as spam, so this address is on the suppression list.',
  manual: 'This address was added to the suppression list manually.',
}

const Withheld = ({ reason, address }: { reason: string | null; address: string | undefined }) => (
  <>
    <span>{reasons[reason ?? ''] ?? 'This address is suppressed.'}</span>
    {address === undefined || reason === null ? null : (
      <SuppressionLink address={address}>View suppression</SuppressionLink>
    )}
  </>
)

const SuppressionLink = ({ address, children }: { address: string; children: string }) => (
  <TextLink to={`/suppressions?q=${encodeURIComponent(address)}`} className="self-start">
    {children}
  </TextLink>
)
