import type { MailboxSettings } from '@stoa/mail-model/mailbox-settings.ts'
import type { Message, MessageItem } from '@stoa/mail-model/messages.ts'
import { useQuery } from '@tanstack/react-query'
import { foldersQuery } from '../queries.ts'
import { showsImages } from './remote-images.ts'
import { type SenderCheck, senderCheck } from './sender-check.ts'

type Input = {
  item: MessageItem
  message: Message | undefined
  settings: MailboxSettings
  /** Somebody asked for them. */
  isAsked: boolean
}

export type ShownImages = { withImages: boolean; isBlocked: boolean; isJunk: boolean; check: SenderCheck }

/** Whether pictures of other servers are shown in a message, and why not. */
export const useShownImages = ({ item, message, settings, isAsked }: Input): ShownImages => {
  const { data: folders } = useQuery(foldersQuery)
  const junk = folders?.data.find(({ role }) => role === 'junk')?.id
  const isJunk = junk !== undefined && item.folder_ids.includes(junk)
  const check = senderCheck(message)
  const sender = { email: item.from?.email ?? null, isDoubtful: check.isDoubtful, isJunk }
  const hasRemote = message?.remote_content_blocked ?? false
  const isShown = isAsked || showsImages(settings, sender)
  // Without any, the page inside is the same whether they are asked for or not
  return { withImages: hasRemote && isShown, isBlocked: hasRemote && !isShown, isJunk, check }
}
