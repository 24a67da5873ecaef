import type { MailboxSettings } from '@stoa/mail-model/mailbox-settings.ts'
import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { Facts } from '@stoa/ui/display/facts.tsx'
import { formatAbsolute } from '@stoa/ui/text/format.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { fullName, subjectOf } from '../people.ts'
import { messageQuery } from '../queries.ts'
import { MessageFrame } from './message-frame.tsx'
import { useShownImages } from './use-shown-images.ts'

/** A mail that does not come is printed without it. */
const MAX_WAIT_MS = 8000

type PrintSheetProps = {
  messages: readonly MessageItem[]
  /** The messages whose remote pictures are shown. */
  withImages: ReadonlySet<string>
  settings: MailboxSettings
  onDone: () => void
}

/**
 * Messages as they are printed, narrower than any paper so that no frame is too low on it, beside the page until the dialog of the browser is done with them. The frames are part of
 * the page: what is in them may not print by itself.
 */
export const PrintSheet = ({ messages, withImages, settings, onDone }: PrintSheetProps) => {
  const [ready, setReady] = useState<ReadonlySet<string>>(new Set())
  const isReady = messages.every(({ id }) => ready.has(id))
  const done = useEffectEvent(onDone)
  useEffect(() => {
    const app = document.getElementById('root')
    app?.classList.add('print:hidden')
    return () => app?.classList.remove('print:hidden')
  }, [])
  useEffect(() => {
    const end = () => done()
    const timer = setTimeout(() => window.print(), isReady ? 0 : MAX_WAIT_MS)
    // Some browsers go on while their dialog is open
    window.addEventListener('afterprint', end)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('afterprint', end)
    }
  }, [isReady])
  return createPortal(
    <div
      data-print
      aria-hidden
      className="scheme-light fixed top-0 left-[-300vw] w-[40rem] bg-surface text-ink print:static print:w-full"
    >
      <h1 className="pb-4 font-semibold text-lg">{messages[0] ? subjectOf(messages[0]) : null}</h1>
      {messages.map((item) => (
        <PrintedMessage
          key={item.id}
          item={item}
          settings={settings}
          isAsked={withImages.has(item.id)}
          onReady={() => setReady((before) => new Set([...before, item.id]))}
        />
      ))}
    </div>,
    document.body,
  )
}

type PrintedProps = { item: MessageItem; settings: MailboxSettings; isAsked: boolean; onReady: () => void }

const PrintedMessage = ({ item, settings, isAsked, onReady }: PrintedProps) => {
  const { data: message } = useQuery(messageQuery(item.id))
  const { withImages } = useShownImages({ item, message, settings, isAsked })
  const files = (message?.attachments ?? []).filter(({ inline }) => !inline)
  const names = (people: MessageItem['to']) => people.map(fullName).join(', ')
  return (
    <section className="border-line border-t py-4">
      <Facts
        facts={[
          { label: 'From', value: item.from ? fullName(item.from) : 'Unknown sender' },
          { label: 'To', value: names(item.to) },
          ...(item.cc.length > 0 ? [{ label: 'Cc', value: names(item.cc) }] : []),
          { label: 'Date', value: formatAbsolute(new Date(item.date ?? item.received_at)) },
          ...(files.length > 0
            ? [{ label: 'Attachments', value: files.map(({ filename }) => filename).join(', ') }]
            : []),
        ]}
      />
      {message ? (
        <MessageFrame
          messageId={item.id}
          title="Message to print"
          withImages={withImages}
          isText={false}
          isColourless={false}
          isDark={false}
          isInverted={false}
          onReady={onReady}
          className="-mx-4"
        />
      ) : null}
    </section>
  )
}
