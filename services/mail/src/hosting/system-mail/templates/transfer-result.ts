import type { MailContent } from '../mail-content.ts'

/** When a transfer from another server has ended by itself. */
export const transferResult = ({ address, host, copied, failed, error, url }: TransferEnd): MailContent => ({
  subject: error === null ? `Transfer to ${address} complete` : `Transfer to ${address} failed`,
  paragraphs: [error ?? `Your mail from ${host} is now in the mailbox ${address}.`],
  facts: [
    ['Copied', `${copied} messages`],
    ['Not copied', `${failed} messages`],
  ],
  action: { label: 'View transfer', url },
})

type TransferEnd = {
  address: string
  host: string
  copied: number
  failed: number
  error: string | null
  url: string
}
