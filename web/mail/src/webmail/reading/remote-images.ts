import type { MailboxSettings } from '@stoa/mail-model/mailbox-settings.ts'

type Choices = Pick<MailboxSettings, 'show_images' | 'image_senders'>

type Sender = {
  email: string | null
  /** The message may not be from whom it seems. */
  isDoubtful: boolean
  isJunk: boolean
}

/** Whether pictures of other servers are shown without asking. Nothing is trusted that may be forged, or is junk. */
export const showsImages = (settings: Choices, { email, isDoubtful, isJunk }: Sender): boolean => {
  if (isDoubtful || isJunk) return false
  if (settings.show_images === 'always') return true
  if (email === null) return false
  const address = email.toLowerCase()
  return settings.image_senders.includes(address) || settings.image_senders.includes(domainOf(address))
}

/** `@example.org`; what `image_senders` calls everybody there. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@')).toLowerCase()

/** The list with one more sender or domain. A domain takes the place of its senders. */
export const withImageSender = (senders: readonly string[], added: string): string[] => {
  const kept = added.startsWith('@') ? senders.filter((sender) => domainOf(sender) !== added) : senders
  return [...new Set([...kept, added.toLowerCase()])]
}
