import type { Message, MessageItem, Unsubscribed } from '@stoa/mail-model/messages.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { sendMailbox } from '../api.ts'
import { compose } from '../compose/compose.ts'
import { nameOf } from '../people.ts'
import { messageQuery } from '../queries.ts'

type Way = NonNullable<Message['unsubscribe']>

/** Leaving the list that a message came from; null where it offers no way. */
export const useUnsubscribe = (
  item: MessageItem,
  message: Message | undefined,
): { way: Way; ask: () => void; dialog: ReactNode } | null => {
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const way = message?.unsubscribe
  if (!way) return null
  const from = item.from ? nameOf(item.from) : 'this list'
  const leave = async () => {
    if (way.method === 'page') return void window.open(way.target, '_blank', 'noopener,noreferrer')
    if (way.method === 'mail') return compose({ kind: 'mailto', href: withSubject(way.target) })
    await sendMailbox<Unsubscribed>('POST', `/api/mail/messages/${item.id}/unsubscribe`)
    const { queryKey } = messageQuery(item.id)
    queryClient.setQueryData(queryKey, (known) => known && { ...known, unsubscribe: { ...way, done: true } })
    toast({ title: `Unsubscribed from ${from}` })
  }
  const dialog = (
    <ConfirmDialog
      open={isAsking}
      onOpenChange={setAsking}
      tone="primary"
      title={`Unsubscribe from ${from}?`}
      consequence={consequenceOf(way)}
      confirmLabel="Unsubscribe"
      onConfirm={leave}
    />
  )
  return { way, ask: () => setAsking(true), dialog }
}

const consequenceOf = ({ method, target }: Way): string => {
  switch (method) {
    case 'one_click':
      return `We'll ask ${target} to stop sending you this newsletter.`
    case 'mail':
      return 'This opens a message to the list. Send it to unsubscribe.'
    case 'page':
      return `This opens a page of ${new URL(target).host} in a new tab. The sender will know that you read this message.`
  }
}

const withSubject = (mailto: string): string => (mailto.includes('?') ? mailto : `${mailto}?subject=unsubscribe`)
