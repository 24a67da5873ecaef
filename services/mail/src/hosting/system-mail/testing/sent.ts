import assert from 'node:assert/strict'
import type { MailService } from '@stoa/tests/lib/mail.ts'
import { readBody } from '../../../formats/mime/body.ts'
import { bodyValue } from '../../../formats/mime/body-values.ts'
import { parseMessage } from '../../../formats/mime/parse.ts'
import { readBlob } from '../../../receiving/receive/spool.ts'

export type SystemMail = { subject: string; header: string; text: string; html: string; returnPath: string }

/** The mails of the service that wait for somebody, oldest first, as their reader sees them. */
export const systemMailTo = async (mail: MailService, email: string): Promise<SystemMail[]> => {
  const rows = await mail.database.db
    .selectFrom('queue_message as m')
    .innerJoin('queue_recipient as r', 'r.message_id', 'm.id')
    .select(['m.blob_key', 'm.size', 'm.subject', 'r.return_path'])
    .where('r.recipient', '=', email)
    .where('m.source', '=', 'system')
    .orderBy('m.id')
    .execute()
  const found: SystemMail[] = []
  for (const row of rows) {
    const bytes = await readBlob(mail.parts.blobs, row.blob_key, row.size)
    const structure = parseMessage(bytes)
    const body = readBody(structure, bytes)
    const [text, html] = [body.textBody[0], body.htmlBody[0]].map((part) => (part ? bodyValue(part, bytes).value : ''))
    found.push({
      subject: row.subject ?? '',
      header: bytes.toString('utf8', 0, structure.root.bodyStart),
      text: text ?? '',
      html: html ?? '',
      returnPath: row.return_path,
    })
  }
  return found
}

export const subjectsTo = async (mail: MailService, email: string): Promise<string[]> =>
  (await systemMailTo(mail, email)).map(({ subject }) => subject)

/** The token of the newest link that went to somebody, on a screen such as `verify`. */
export const tokenFor = async (mail: MailService, email: string, screen: string): Promise<string> => {
  const link = new RegExp(`http://mail\\.test/${screen}#token=([\\w-]{43})$`, 'm')
  const tokens = (await systemMailTo(mail, email)).flatMap(({ text }) => link.exec(text)?.[1] ?? [])
  const token = tokens.at(-1)
  assert.ok(token, `no link to ${screen} was sent to ${email}`)
  return token
}
