import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readMessage } from '../../store/messages/read.ts'
import { readBody } from '../mime/body.ts'
import { bodyValue } from '../mime/body-values.ts'
import { parseMessage } from '../mime/parse.ts'
import { buildMail, type NewMail } from './compose.ts'

const mail: NewMail = {
  from: { name: 'Ada Lovelace', email: 'ada@hosted.test' },
  to: [{ name: 'Müller, Jörg', email: 'joerg@friend.test' }],
  subject: 'Grüße aus Köln',
  text: 'Hallo\n.\nTschüss',
  messageId: 'one@hosted.test',
  date: new Date('2026-03-01T12:00:00.000Z'),
}

describe('a message that is built', () => {
  test('is read back as it was meant', async () => {
    const bytes = await buildMail({
      ...mail,
      html: '<p>Hallo</p>',
      inReplyTo: 'zero@friend.test',
      references: ['zero@friend.test'],
      attachments: [
        { filename: 'Übersicht.pdf', content: Buffer.from([0, 1, 2, 255]), contentType: 'application/pdf' },
      ],
    })
    const read = readMessage(bytes)
    assert.deepEqual(
      [read.subject, read.envelope.from, read.envelope.to, read.envelope.inReplyTo, read.envelope.messageId],
      [mail.subject, [mail.from], mail.to, ['zero@friend.test'], ['one@hosted.test']],
    )
    const structure = parseMessage(bytes)
    const body = readBody(structure, bytes)
    assert.equal(body.textBody[0] && bodyValue(body.textBody[0], bytes).value.trim(), 'Hallo\n.\nTschüss')
    assert.equal(read.hasAttachment, true)
    assert.equal(
      bytes
        .toString('latin1')
        .replaceAll('\r\n', '')
        .match(/[\r\n]/),
      null,
    )
  })

  test('has no field that nobody asked for, whatever is put into its texts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.constantFrom('subject', 'name', 'filename', 'header'),
        async (text, where) => {
          const built = buildMail({
            ...mail,
            ...(where === 'subject' ? { subject: text } : {}),
            ...(where === 'name' ? { to: [{ name: text, email: 'joerg@friend.test' }] } : {}),
            ...(where === 'header' ? { headers: [{ name: 'X-Note', value: text }] } : {}),
            ...(where === 'filename'
              ? { attachments: [{ filename: text, content: Buffer.from('x'), contentType: 'text/plain' }] }
              : {}),
          })
          const bytes = await built.catch((error: unknown) => {
            assert.ok(error instanceof TypeError)
            return null
          })
          if (!bytes) return
          const names = parseMessage(bytes).root.fields.map(({ name }) => name)
          const known = ['from', 'to', 'subject', 'message-id', 'date', 'mime-version', 'content-type', 'x-note']
          assert.deepEqual(
            names.filter((name) => !known.includes(name) && name !== 'content-transfer-encoding'),
            [],
          )
          assert.equal(new Set(names).size, names.length)
        },
      ),
      { numRuns: 300, seed: 7 },
    )
  })

  test('a line break in a header is refused', async () => {
    for (const text of ['a\r\nBcc: x@y.test', 'a\nb', 'a\u2028b', 'a\0b'])
      await assert.rejects(buildMail({ ...mail, subject: text }), TypeError)
    await assert.rejects(buildMail({ ...mail, headers: [{ name: 'X: y\r\nBcc', value: 'x' }] }), TypeError)
  })
})
