import type { MailContent } from '../mail-content.ts'

/** When a transfer from another server has ended by itself. */
export const transferResult = ({ address, host, copied, failed, error, url }: TransferEnd): MailContent => ({
  subject: error === null ? `The transfer to ${address} is complete` : `The transfer to ${address} failed`,
  paragraphs: [error ?? `The mail from ${host} is in the mailbox ${address} now.`],
  facts: [
    ['Copied', `${copied} messages`],
    ['Not copied', `${failed} messages`],
  ],
  action: { label: 'Open the transfer', url },
})

type TransferEnd = {
  address: string
  host: string
  copied: number
  failed: number
  error: string | null
  url: string
}
