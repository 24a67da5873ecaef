import type { Email } from '@stoa/mail-model/emails.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { CopyButton } from '@stoa/ui/button/copy-button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { Facts } from '@stoa/ui/display/facts.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { ScreenSkeleton } from '@stoa/ui/feedback/screen-skeleton.tsx'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { formatAbsolute } from '@stoa/ui/text/format.ts'
import { shownLine } from '@stoa/ui/text/shown-line.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { CalendarClock, Send } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { hasName } from '../api.ts'
import { apiKeyNamesQuery } from '../api-keys/queries.ts'
import { Gone } from '../not-found-notice.tsx'
import { EmailContent } from './email-content.tsx'
import { EmailHistory } from './email-history.tsx'
import { EmailStatusMark } from './email-status.tsx'
import { emailQuery } from './queries.ts'
import { subjectOf } from './recipients.ts'
import { CancelEmail, RescheduleDialog } from './schedule-dialogs.tsx'

/** One mail that a program sent: its timeline and its content. */
export const EmailScreen = () => {
  const { emailId = '' } = useParams({ strict: false })
  const query = useQuery(emailQuery(emailId))
  if (query.data) return <EmailView key={query.data.id} email={query.data} />
  if (!query.error) return <ScreenSkeleton label="Loading email" tabs tiles={0} />
  if (hasName(query.error, 'not_found')) return <Gone icon={<Send />} thing="email" to="/emails" list="emails" />
  return (
    <Crash isScreen title="Couldn't load this email" onRetry={() => void query.refetch()}>
      {messageOf(query.error)}
    </Crash>
  )
}

const EmailView = ({ email }: { email: Email }) => {
  const [open, setOpen] = useState<'reschedule' | 'cancel'>()
  const close = () => setOpen(undefined)
  const isScheduled = email.status === 'scheduled'
  const subject = subjectOf(email)
  return (
    <>
      <title>{`${subject} · Emails · Stoa Mail`}</title>
      <PageHeader
        crumbs={[{ label: 'Emails', to: '/emails' }]}
        title={<span className="wrap-anywhere">{subject}</span>}
        badge={<EmailStatusMark email={email} />}
        actions={
          isScheduled ? (
            <>
              <Button variant="danger-quiet" onClick={() => setOpen('cancel')}>
                Cancel sending
              </Button>
              <Button variant="primary" icon={<CalendarClock />} onClick={() => setOpen('reschedule')}>
                Reschedule
              </Button>
            </>
          ) : undefined
        }
      />
      <Consequence email={email} />
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[1fr_22rem]">
        <div className="order-last min-w-0 lg:order-first">
          <EmailContent email={email} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <EmailFacts email={email} />
          <EmailHistory email={email} />
        </div>
      </div>
      {open === 'reschedule' ? <RescheduleDialog email={email} onClose={close} /> : null}
      {open === 'cancel' ? <CancelEmail email={email} onClose={close} /> : null}
    </>
  )
}

/** The most important fact about the mail, for the top of the screen. */
const Consequence = ({ email }: { email: Email }) => {
  if (email.status === 'scheduled' && email.scheduled_at !== null)
    return (
      <Notice className="mb-5" title={`Scheduled for ${formatAbsolute(new Date(email.scheduled_at))}`}>
        You can reschedule or cancel it until then.
      </Notice>
    )
  if (email.status === 'suppressed')
    return (
      <Notice tone="warning" className="mb-5" title="Not sent">
        Every recipient is on the <TextLink to="/suppressions">suppression list</TextLink>. Remove them from the list to
        send to them again.
      </Notice>
    )
  if (email.status === 'delayed')
    return (
      <Notice tone="warning" className="mb-5" title="Delivery delayed">
        We retry automatically for five days. See the server's reply under the recipient.
      </Notice>
    )
  return null
}

const EmailFacts = ({ email }: { email: Email }) => {
  const { data: keys } = useQuery(apiKeyNamesQuery)
  const key = keys?.data.find(({ id }) => id === email.api_key_id)
  const list = (label: string, values: readonly string[] | null) =>
    values === null || values.length === 0 ? [] : [{ label, value: <Addresses values={values} /> }]
  return (
    <Panel>
      <Facts
        facts={[
          { label: 'From', value: <span className="wrap-anywhere">{shownLine(email.from)}</span> },
          ...list('To', email.to),
          ...list('Cc', email.cc),
          ...list('Bcc', email.bcc),
          ...list('Reply-to', email.reply_to),
          { label: 'Accepted', value: <RelativeTime at={email.created_at} /> },
          ...(email.sent_at === null ? [] : [{ label: 'First attempt', value: <RelativeTime at={email.sent_at} /> }]),
          {
            label: 'API key',
            value: key ? (
              <TextLink to={`/api-keys?q=${encodeURIComponent(key.name)}`}>{key.name}</TextLink>
            ) : keys ? (
              'Revoked'
            ) : (
              '…'
            ),
          },
          ...(email.tags.length === 0 ? [] : [{ label: 'Tags', value: <TagList tags={email.tags} /> }]),
          ...(email.topic_id === null ? [] : [{ label: 'Topic', value: email.topic_id }]),
          { label: 'ID', value: <Copyable text={email.id} label="Copy ID" /> },
          { label: 'Message ID', value: <Copyable text={email.message_id} label="Copy message ID" /> },
        ]}
      />
    </Panel>
  )
}

const MANY = 4

const Addresses = ({ values }: { values: readonly string[] }) => {
  const [all, setAll] = useState(values.length <= MANY + 1)
  const lines: ReactNode[] = (all ? values : values.slice(0, MANY)).map((value) => (
    <span key={value} className="wrap-anywhere max-w-full">
      {shownLine(value)}
    </span>
  ))
  return (
    <span className="flex min-w-0 flex-col items-start">
      {lines}
      {all ? null : (
        <button
          type="button"
          onClick={() => setAll(true)}
          className="rounded-xs text-accent-ink underline underline-offset-2"
        >
          and {values.length - MANY} more
        </button>
      )}
    </span>
  )
}

const TagList = ({ tags }: { tags: Email['tags'] }) => (
  <ul className="flex flex-wrap gap-1">
    {tags.map(({ name, value }) => (
      <li key={name} className="flex min-w-0">
        <TextLink
          to={`/emails?tag=${encodeURIComponent(`${name}:${value}`)}`}
          className="flex min-w-0 no-underline! touch:py-1.5"
        >
          <Badge>{`${name}: ${value}`}</Badge>
        </TextLink>
      </li>
    ))}
  </ul>
)

const Copyable = ({ text, label }: { text: string; label: string }) => (
  <span className="flex min-w-0 items-start gap-1">
    <code className="min-w-0 flex-1 break-all font-mono text-xs">{text}</code>
    <span className="-my-1 shrink-0">
      <CopyButton text={text} label={label} iconOnly />
    </span>
  </span>
)
