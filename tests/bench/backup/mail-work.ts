import { basic } from '@stoa/mail/doors/jmap/testing/ground.ts'
import { MAILBOX_PASSWORD } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { openMailboxes } from '../../faults/mail-load.ts'
import { must } from '../../faults/outcomes.ts'
import { openClient as openImap } from '../imap/client.ts'
import { listView } from '../jmap/load.ts'
import { letter, SENDER_DOMAIN } from '../messages.ts'
import { openClient as openSmtp, sendAll } from '../smtp-load.ts'
import type { Work } from './steady.ts'

const BOXES = 10
const FROM = `ann@${SENDER_DOMAIN}`
/** What each mailbox has before anything is measured. */
const LETTERS = 30

export type MailService = { url: string; databaseUrl: string; smtpPort: number; imapPort: number }

/** Other servers, and people who read their mail. */
export const mailWork = async ({ url, databaseUrl, smtpPort, imapPort }: MailService): Promise<Work[]> => {
  const boxes = await openMailboxes(databaseUrl, BOXES)
  const { emails, ids } = boxes
  const inboxes = await boxes.database.pool.query<{ addressId: string; id: string }>(
    `select address_id as "addressId", id from folder where role = 'inbox'`,
  )
  await boxes.close()
  const emailOf = (number: number): string => emails[number % BOXES] ?? ''
  const envelope = (number: number) => ({ from: FROM, to: emailOf(number) })
  const write = (number: number, kind: string): Buffer => {
    const id = `${kind}-${number}@${SENDER_DOMAIN}`
    return Buffer.from(letter({ from: FROM, to: emailOf(number), id, replyTo: null, topic: id, seed: number }))
  }
  const messages = Array.from({ length: BOXES * LETTERS }, (_, number) => write(number, 'before'))
  await sendAll({ ports: [smtpPort], connections: BOXES, messages, envelope })

  const list = (number: number) => {
    const accountId = ids[number % BOXES] ?? ''
    const inboxId = inboxes.rows.find((row) => row.addressId === accountId)?.id ?? ''
    const authorization = basic(emailOf(number), MAILBOX_PASSWORD)
    const body: unknown = JSON.parse(listView({ accountId, inboxId, authorization }))
    return must(`${url}/jmap`, { method: 'POST', headers: { authorization }, body })
  }
  let readers = 0
  return [
    {
      name: 'Mail, SMTP until its 250',
      perSecond: 10,
      async open() {
        const client = await openSmtp(smtpPort)
        return { act: (number) => client.send(envelope(number), write(number, 'load')), close: client.close }
      },
    },
    {
      name: 'Mail, IMAP FETCH of a message',
      perSecond: 10,
      async open() {
        const client = await openImap({ port: imapPort, isTls: true })
        await client.say(`LOGIN ${emailOf(readers++)} "${MAILBOX_PASSWORD}"`)
        await client.say('SELECT INBOX')
        return {
          act: (number) => client.say(`FETCH ${1 + (number % LETTERS)} (FLAGS ENVELOPE BODY.PEEK[])`),
          close: client.close,
        }
      },
    },
    { name: 'Mail, JMAP list of 50', perSecond: 10, open: async () => ({ act: list }) },
  ]
}
