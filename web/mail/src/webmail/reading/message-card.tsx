import type { MailboxSettings } from '@stoa/mail-model/mailbox-settings.ts'
import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { useStored } from '@stoa/ui/browser/stored.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useIsDark } from '@stoa/ui/theme/theme.ts'
import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useSlot } from '../compose/inline-slots.ts'
import { nameOf, subjectOf } from '../people.ts'
import { messageQuery } from '../queries.ts'
import { Attachments } from './attachments.tsx'
import { hasColours } from './frame-document.ts'
import { ImagesBar } from './images-bar.tsx'
import { InvitationCard } from './invitation-card.tsx'
import { MessageFrame } from './message-frame.tsx'
import { MessageHeader } from './message-header.tsx'
import { MessageNotices } from './message-notices.tsx'
import { useShownImages } from './use-shown-images.ts'
import type { Writing } from './use-writing.ts'

type MessageCardProps = {
  /** The message from the conversation, whose flags are newer than those of the loaded message. */
  item: MessageItem
  settings: MailboxSettings
  /** There is no other message to fold it between. */
  isAlone: boolean
  writing: Writing
  /** Pictures of other servers were asked for. */
  isShown: boolean
  onShow: () => void
  onFold: () => void
  onPrint: () => void
  /** Called when the message moved to another folder. */
  onGone: () => void
}

/** One open message. */
export const MessageCard = (props: MessageCardProps) => {
  const { item, settings, isAlone, writing, isShown, onShow, onFold, onPrint, onGone } = props
  const query = useQuery(messageQuery(item.id))
  const slot = useSlot(item.id)
  const isDark = useIsDark()
  const [isInverted, setInverted] = useStored('webmail-dark-mails', (stored) => stored !== false)
  const [isLight, setLight] = useState(true)
  const message = query.data
  const { withImages, isBlocked, isJunk, check } = useShownImages({ item, message, settings, isAsked: isShown })
  const isColourless = useMemo(() => !message?.html || !hasColours(message.html), [message?.html])
  const from = item.from ? nameOf(item.from) : 'unknown sender'
  return (
    <section
      data-card
      tabIndex={-1}
      aria-label={`Message from ${from}`}
      className="flex min-w-0 scroll-mt-11 flex-col gap-3 px-5 py-4 outline-none focus-visible:outline-none phone:px-4"
    >
      <MessageHeader
        item={item}
        message={message}
        check={check}
        dark={isDark && message && !isColourless && isLight ? { isInverted, setInverted } : undefined}
        {...(isAlone ? {} : { onFold })}
        {...{ writing, onPrint, onGone }}
      />
      <MessageNotices item={item} check={check} isJunk={isJunk} onGone={onGone} />
      {isBlocked ? (
        <ImagesBar email={item.from?.email ?? null} isRisky={check.isDoubtful || isJunk} onShow={onShow} />
      ) : null}
      {message?.invitation ? <InvitationCard messageId={item.id} invitation={message.invitation} /> : null}
      {message ? (
        <>
          <MessageFrame
            messageId={item.id}
            title={`Message from ${from}: ${subjectOf(item)}`}
            withImages={withImages}
            isText={message.html === null}
            isColourless={isColourless}
            isDark={isDark}
            isInverted={isInverted && isLight}
            onTone={setLight}
            foldsQuote={!isAlone}
            className={isDark && !isColourless ? SHEET : OPEN}
          />
          <Attachments message={message} />
        </>
      ) : query.error ? (
        <Notice
          tone="danger"
          title="Couldn't load this message"
          action={
            <Button size="sm" icon={<RotateCw />} onClick={() => void query.refetch()}>
              Retry
            </Button>
          }
        >
          {messageOf(query.error)}
        </Notice>
      ) : (
        <SkeletonText lines={4} label="Loading message" />
      )}
      <div ref={slot} className="empty:hidden" />
    </section>
  )
}

// A mail that brings its own colors lies on a sheet where the app is dark
const SHEET = 'overflow-hidden rounded-lg'
// The page inside has a margin of its own
const OPEN = '-mx-4'
