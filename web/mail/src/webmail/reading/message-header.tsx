import type { Correspondent, Message, MessageItem } from '@stoa/mail-model/messages.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { Avatar } from '@stoa/ui/display/avatar.tsx'
import { Facts } from '@stoa/ui/display/facts.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { Tooltip } from '@stoa/ui/layer/tooltip.tsx'
import { formatAbsolute, formatBytes } from '@stoa/ui/text/format.ts'
import { useQuery } from '@tanstack/react-query'
import { BadgeCheck, ChevronDown, Flag, Moon, Reply, Sun } from 'lucide-react'
import { useId, useState } from 'react'
import { useMessageActions } from '../actions/use-message-actions.ts'
import { fullName, nameOf, recipientLine } from '../people.ts'
import { mailboxQuery } from '../queries.ts'
import { MessageMenu } from './message-menu.tsx'
import { useReplyLabel } from './reply-label.ts'
import type { SenderCheck } from './sender-check.ts'
import { useUnsubscribe } from './use-unsubscribe.tsx'
import type { Writing } from './use-writing.ts'

type MessageHeaderProps = {
  item: MessageItem
  message: Message | undefined
  check: SenderCheck
  /** Set in dark mode: whether the colors of mails are inverted. */
  dark: { isInverted: boolean; setInverted: (isInverted: boolean) => void } | undefined
  writing: Writing
  onFold?: () => void
  onPrint: () => void
  onGone: () => void
}

/** Sender, recipients and time, with the actions on this one message. */
export const MessageHeader = ({ item, message, check, dark, writing, onFold, onPrint, onGone }: MessageHeaderProps) => {
  const { data: mailbox } = useQuery(mailboxQuery)
  const actions = useMessageActions()
  const [isOpen, setOpen] = useState(false)
  const details = useId()
  const list = useUnsubscribe(item, message)
  const replyWords = useReplyLabel(item)
  const { from, flags } = item
  const name = from ? nameOf(from) : 'Unknown sender'
  const at = item.date ?? item.received_at
  return (
    <header className="flex min-w-0 flex-col gap-3">
      <div className="flex min-w-0 items-start gap-3">
        <Avatar name={name} person={from?.email ?? null} size="lg" />
        <div className="min-w-0 flex-1">
          <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            <h3 className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-sm">
              {onFold ? (
                <button
                  type="button"
                  aria-expanded
                  onClick={onFold}
                  className="min-w-0 max-w-full truncate rounded-sm font-semibold text-ink hover:underline"
                >
                  {name}
                </button>
              ) : (
                <span className="min-w-0 max-w-full truncate font-semibold text-ink">{name}</span>
              )}
              {check.verdict === 'verified' ? <VerifiedMark domain={check.domain} /> : null}
              {from && name !== from.email ? (
                <span title={from.email} className="line-clamp-2 min-w-0 break-all font-normal text-muted text-xs">
                  {from.email}
                </span>
              ) : null}
            </h3>
            {list && list.way.method !== 'page' ? <Unsubscribe isDone={list.way.done} onAsk={list.ask} /> : null}
          </div>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={details}
            onClick={() => setOpen(!isOpen)}
            className="flex min-w-0 max-w-full items-center gap-1 rounded-sm text-muted text-xs hover:text-ink touch:min-h-8"
          >
            <span className="truncate">to {recipientLine([...item.to, ...item.cc], mailbox?.email)}</span>
            <ChevronDown aria-hidden className={`size-3.5 shrink-0 ${isOpen ? 'rotate-180' : ''}`} />
            <span className="sr-only">Details</span>
          </button>
        </div>
        <div className="flex shrink-0 flex-wrap items-center justify-end gap-0.5">
          <RelativeTime at={at} className="mr-1 whitespace-nowrap text-muted text-xs phone:w-full phone:text-right" />
          {dark ? (
            <IconButton
              size="sm"
              label={dark.isInverted ? 'Show in original colors' : 'Show in dark mode'}
              icon={dark.isInverted ? <Sun /> : <Moon />}
              onClick={() => dark.setInverted(!dark.isInverted)}
            />
          ) : null}
          <IconButton
            size="sm"
            label={flags.flagged ? 'Unflag message' : 'Flag message'}
            aria-pressed={flags.flagged}
            className="phone:hidden"
            icon={<Flag className={flags.flagged ? 'fill-current text-draft-mark' : ''} />}
            onClick={() => void actions.flag({ ids: [item.id] }, !flags.flagged)}
          />
          <IconButton
            size="sm"
            label={replyWords}
            icon={<Reply />}
            className="phone:hidden"
            onClick={() => writing('reply', item.id)}
          />
          <MessageMenu {...{ item, message, writing, onPrint, onGone }} onUnsubscribe={list?.ask} />
          {list?.dialog}
        </div>
      </div>
      <div id={details} hidden={!isOpen} className="rounded-lg border border-line bg-canvas px-4 py-3">
        {isOpen ? <Details item={item} message={message} check={check} /> : null}
      </div>
    </header>
  )
}

const Unsubscribe = ({ isDone, onAsk }: { isDone: boolean; onAsk: () => void }) =>
  isDone ? (
    <span className="shrink-0 text-faint text-xs">Unsubscribed</span>
  ) : (
    <button type="button" onClick={onAsk} className="shrink-0 rounded-sm text-muted text-xs underline hover:text-ink">
      Unsubscribe
    </button>
  )

const VerifiedMark = ({ domain }: { domain: string }) => (
  <Tooltip label={`Verified: ${domain} confirmed that it sent this message`}>
    <button type="button" className="shrink-0 rounded-sm" aria-label={`Verified sender: ${domain}`}>
      <BadgeCheck aria-hidden className="size-4 translate-y-0.5 text-live-mark" />
    </button>
  </Tooltip>
)

type DetailsProps = { item: MessageItem; message: Message | undefined; check: SenderCheck }

const Details = ({ item, message, check }: DetailsProps) => {
  const people = (label: string, list: readonly Correspondent[]) =>
    list.length === 0 ? [] : [{ label, value: <People list={list} /> }]
  const sentAt = item.date ? [{ label: 'Sent', value: formatAbsolute(new Date(item.date)) }] : []
  return (
    <Facts
      facts={[
        ...people('From', item.from ? [item.from] : []),
        ...people('To', item.to),
        ...people('Cc', item.cc),
        ...people('Bcc', message?.bcc ?? []),
        ...people('Reply-to', differing(message?.reply_to ?? [], item.from)),
        ...sentAt,
        { label: 'Received', value: formatAbsolute(new Date(item.received_at)) },
        { label: 'Sender', value: checkWords(check) },
        { label: 'Size', value: formatBytes(item.size_bytes) },
      ]}
    />
  )
}

const People = ({ list }: { list: readonly Correspondent[] }) => (
  <ul className="flex flex-col">
    {list.map((person, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same person may be there twice, and the list never changes
      <li key={index} className="break-words">
        {fullName(person)}
      </li>
    ))}
  </ul>
)

/** An answer that goes elsewhere is worth saying. */
const differing = (replyTo: readonly Correspondent[], from: Correspondent | null): readonly Correspondent[] =>
  replyTo.every(({ email }) => email.toLowerCase() === from?.email.toLowerCase()) ? [] : replyTo

const checkWords = (check: SenderCheck): string => {
  switch (check.verdict) {
    case 'verified':
      return `Verified by ${check.domain} (checked by ${check.by})`
    case 'forged':
      return `Verification failed for ${check.domain} (checked by ${check.by})`
    case 'unknown':
      return 'Not verified'
  }
}
