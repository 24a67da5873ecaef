import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ImapFlow } from 'imapflow'
import { MAILBOX_PASSWORD, type PlantedAddress } from '../../hosting/addresses/testing/hosting.ts'
import { type ImapGround, startImapGround } from './testing/ground.ts'

let ground: ImapGround
before(async () => {
  ground = await startImapGround({ tls: 'implicit' })
})
after(() => ground.close())

const open = async (address: PlantedAddress) => {
  const client = new ImapFlow({
    host: '127.0.0.1',
    port: ground.server.port,
    secure: true,
    tls: { rejectUnauthorized: false },
    auth: { user: address.email, pass: MAILBOX_PASSWORD },
    logger: false,
    qresync: true,
  })
  await client.connect()
  return client
}

test('imapflow signs in, selects, compresses, reads, flags, moves and is notified of new mail while it idles', async () => {
  const anna = await ground.address()
  await ground.add(anna, { subject: 'The roof', text: 'It leaks.' })
  const client = await open(anna)
  const opened = await client.mailboxOpen('INBOX')
  assert.equal(opened.exists, 1)
  assert.equal(opened.readOnly, false)

  const message = await client.fetchOne('1', { envelope: true, flags: true, source: true, bodyStructure: true })
  assert.ok(message)
  assert.equal(message.envelope?.subject, 'The roof')
  assert.match(message.source?.toString() ?? '', /It leaks/)

  const arrived = new Promise<{ count: number; prevCount: number }>((resolve) => client.once('exists', resolve))
  const idling = client.idle()
  await ground.add(anna)
  assert.deepEqual((({ count, prevCount }) => ({ count, prevCount }))(await arrived), { count: 2, prevCount: 1 })

  const flagged = new Promise((resolve) => client.once('flags', resolve))
  const other = await open(anna)
  await other.mailboxOpen('INBOX')
  await other.messageFlagsAdd('2', ['\\Flagged'])
  await flagged

  const gone = new Promise((resolve) => client.once('expunge', resolve))
  await other.messageMove('2', 'Archive')
  await gone
  // Any other command ends the IDLE.
  await client.noop()
  await idling
  await client.append('INBOX', 'Subject: by append\r\n\r\nHello', ['\\Seen'])
  const status = await client.status('INBOX', { messages: true })
  assert.equal(status ? status.messages : null, 2)
  const names = (await client.list()).map(({ path }) => path)
  assert.ok(names.includes('INBOX') && names.includes('Archive'))
  await other.logout()
  await client.logout()
  await ground.check(anna)
})
