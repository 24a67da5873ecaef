import type { EmailItem } from '@stoa/mail-model/emails.ts'
import { Status } from '@stoa/ui/display/badge.tsx'
import { describeReading, describeStatus } from './states.ts'

/** How a mail stands, and whether somebody read it. */
export const EmailStatusMark = ({ email }: { email: Pick<EmailItem, 'status' | 'last_event'> }) => {
  const { label, tone } = describeStatus(email.status)
  const reading = describeReading(email.last_event)
  return (
    <Status tone={tone}>
      {label}
      {reading === undefined ? null : <span className="text-faint">{`, ${reading}`}</span>}
    </Status>
  )
}
