import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { MailboxEvent } from '@stoa/mail-model/mailbox-events.ts'
import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { changeAddressPassword } from '../../hosting/addresses/operations.ts'
import { readMailbox } from '../../store/mailbox/mailbox.ts'
import { type Owner, plantOwner, refused, signInAs } from './testing/owner.ts'

let mail: MailService
before(async () => {
  // With the queue, to which no host outside answers.
  mail = await startMail({ env: { MAIL_ROLES: 'http,worker', DNS_RESOLVERS: '127.0.0.1:9' } })
})
after(async () => {
  await mail.close()
  await until(() => [...open].every((each) => !each.isOpen()), 'what was left open to end')
})

let count = 0
const owner = (): Promise<Owner> => plantOwner(mail, `ada@events-${++count}.test`)
const modseqOf = async ({ address }: Owner) => (await readMailbox(mail.database.db, address.id)).modseq

type Event = MailboxEvent & { id: number }
type Listening = { events: Event[]; text(): string; isOpen(): boolean; close(): void }

const open = new Set<Listening>()
/** What a browser receives; `lastId` as it sends it after a broken connection. */
const listen = async ({ client }: Pick<Owner, 'client'>, lastId?: string): Promise<Listening> => {
  const abort = new AbortController()
  const response = await fetch(`${mail.url}/api/mail/events`, {
    signal: abort.signal,
    headers: {
      cookie: `mail_webmail=${client.webmailCookie}`,
      'x-forwarded-for': client.ip,
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    },
  })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(response.headers.get('cache-control'), 'no-store')
  let [text, isOpen] = ['', true]
  const events: Event[] = []
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      const whole = [...text.matchAll(/event: change\nid: (\d+)\ndata: (.*)\n\n/g)]
      for (const [, id, data] of whole.slice(events.length)) events.push({ id: Number(id), ...JSON.parse(data ?? '') })
    }
  }
  void read()
    .catch(() => undefined)
    .finally(() => {
      isOpen = false
    })
  const made = { events, text: () => text, isOpen: () => isOpen, close: () => abort.abort() }
  open.add(made)
  await until(() => /^id: \d+$/m.test(text), 'the first words')
  return made
}
const closeAll = async () => {
  for (const each of open) each.close()
  await until(() => [...open].every((each) => !each.isOpen()), 'all to end')
  open.clear()
}

const oneUnread = ({ thread_id: id, folder_id }: MessageItem) => ({
  id,
  count: 1,
  unread: 1,
  unread_in: { [folder_id]: 1 },
})

describe('the stream of changes', () => {
  test('reports new mail, flags and folders of the own mailbox with its state, and nothing of others', async () => {
    const [ada, bob] = [await owner(), await owner()]
    const stream = await listen(ada)
    assert.match(stream.text(), new RegExp(`^id: ${await modseqOf(ada)}$`, 'm'))
    await bob.receive()
    const id = await ada.receive()
    await until(() => stream.events.length === 1, 'new mail')
    const modseq = await modseqOf(ada)
    const [item] = (await ada.client.get('/api/mail/messages')).body.data
    const shown = (await ada.client.get('/api/mail/folders')).body.data
    const inbox: Event = {
      id: modseq,
      modseq,
      folders: [ada.folders.inbox],
      changed_folders: shown.filter((folder: { role: string }) => folder.role === 'inbox'),
      messages_changed: true,
      messages: { changed: [item], removed: [], threads: [oneUnread(item)] },
      submissions_changed: false,
      scheduled: null,
    }
    assert.deepEqual(stream.events, [inbox])
    await ada.post('messages/move', { message_ids: [id], folder_id: ada.folders.archive })
    await until(() => stream.events.at(-1)?.id === modseq + 1, 'the move')
    assert.deepEqual(stream.events.at(-1)?.folders.toSorted(), [ada.folders.inbox, ada.folders.archive].toSorted())
    await ada.post('send', { to: ['you@elsewhere.org'] })
    await until(() => stream.events.some((event) => event.submissions_changed), 'the sent one')
    // What no list shows is not reported.
    const before = stream.events.length
    await ada.client.send('PUT', '/api/mail/vacation', { body: { enabled: false } })
    await ada.post('messages/flags', { message_ids: [id], add: ['flagged'] })
    const after = () => stream.events.slice(before)
    await until(() => after().some((event) => event.messages_changed), 'the flag')
    for (const event of after()) assert.deepEqual(event.folders, [])
    await closeAll()
  })

  test('reports mail that arrives in a mailbox here, once its time has come', async () => {
    const ada = await owner()
    const bob = await plantOwner(mail, `bob@${ada.address.email.split('@')[1]}`, { accountId: ada.address.accountId })
    const [mine, theirs] = [await listen(ada), await listen(bob)]
    const { body } = await ada.post('send', { to: [bob.address.email], subject: 'Soon', text: 'x', undo_seconds: 20 })
    const read = async () => (await ada.client.get(`/api/mail/submissions/${body.submission.id}`)).body
    assert.equal((await read()).status, 'pending')
    mail.clock.advance(21_000)
    await until(async () => (await read()).recipients[0].delivered === 'yes', 'the delivery')
    assert.equal((await read()).status, 'sent')
    await until(() => theirs.events.length > 0 && mine.events.length > 1, 'an event for both')
    assert.deepEqual(theirs.events[0]?.folders, [bob.folders.inbox])
    const { data } = (await bob.client.get('/api/mail/messages')).body
    assert.deepEqual(
      data.map(({ subject, from }: { subject: string; from: { email: string } }) => [subject, from.email]),
      [['Soon', ada.address.email]],
    )
    refused(await ada.post(`submissions/${body.submission.id}/cancel`), 409, 'conflict')
    await closeAll()
  })

  test('resumes where another one ended, and reports everything to a client that was away too long', async () => {
    const ada = await owner()
    const at = await modseqOf(ada)
    await ada.receive({ folderIds: [ada.folders.junk] })
    await ada.receive()
    const stream = await listen(ada, String(at))
    await until(() => stream.events.length === 1, 'what was missed')
    assert.deepEqual(stream.events[0]?.folders.toSorted(), [ada.folders.inbox, ada.folders.junk].toSorted())
    assert.equal(stream.events[0]?.id, await modseqOf(ada))
    await mail.database.pool.query('update mailbox set floor = modseq where address_id = $1', [ada.address.id])
    const late = await listen(ada, String(at))
    await until(() => late.events.length === 1, 'everything')
    assert.equal(late.events[0]?.folders.length, 7)
    for (const lastId of ['x', '-1', '1'.repeat(40), '']) await listen(ada, lastId)
    await ada.receive()
    await until(() => [...open].every(({ events }) => events.at(-1)?.messages_changed === true), 'all of them')
    await closeAll()
  })

  test('brings along what changed, so that nobody has to ask: what is gone, conversations, mail that waits', async () => {
    const ada = await owner()
    const first = await ada.receive({ id: 'one@x.test', subject: 'Talk' })
    const second = await ada.receive({ references: ['one@x.test'], subject: 'Re: Talk' })
    const stream = await listen(ada)
    const last = () => stream.events.at(-1)
    await ada.post('messages/delete', { message_ids: [second], permanent: true })
    await until(() => last()?.messages?.removed.includes(second) === true, 'the removal')
    const [thread] = last()?.messages?.threads ?? []
    assert.deepEqual([thread?.count, thread?.unread], [1, 1])
    await ada.post('messages/flags', { message_ids: [first], add: ['seen'] })
    await until(() => last()?.messages?.changed[0]?.flags.seen === true, 'the mark')
    assert.deepEqual([last()?.changed_folders[0]?.unread, last()?.messages?.threads[0]?.unread], [0, 0])
    await ada.post('send', { to: ['you@elsewhere.org'], undo_seconds: 20 })
    await until(() => stream.events.some(({ scheduled }) => scheduled === 1), 'the mail that waits')
    assert.equal((await ada.client.get('/api/mail/me')).body.scheduled, 1)
    await closeAll()
  })

  test('reports of very many messages only that they changed', async () => {
    const ada = await owner()
    const stream = await listen(ada)
    await ada.receiveMany(51)
    await until(() => stream.events.some(({ messages }) => messages === null), 'very many')
    assert.equal(stream.events[0]?.changed_folders[0]?.total, 51)
    await closeAll()
  })

  test('ends with its session, and with the password that opened it', async () => {
    const ada = await owner()
    const other = await signInAs(mail, ada.address)
    const [mine, theirs] = [await listen(ada), await listen({ client: other })]
    await ada.post('sessions/revoke-others')
    await until(() => !theirs.isOpen(), 'the other to end')
    assert.equal(mine.isOpen(), true)
    await ada.client.post('/api/mail/logout')
    await until(() => !mine.isOpen(), 'this to end')
    refused(await ada.client.get('/api/mail/events'), 401, 'unauthorized')
    const last = await listen({ client: await signInAs(mail, ada.address) })
    const { id: addressId, accountId } = ada.address
    const input = { accountId, addressId, passwordHash: 'another', now: mail.clock.now() }
    await mail.database.tx((tx) => changeAddressPassword(tx, input))
    await until(() => !last.isOpen(), 'the last to end')
    await closeAll()
  })

  test('is open so many times and no more', async () => {
    const ada = await owner()
    await Promise.all(Array.from({ length: 32 }, () => listen(ada)))
    refused(await ada.client.get('/api/mail/events'), 429, 'rate_limit_exceeded')
    await closeAll()
    // It is left open: the service must end it when it stops.
    assert.equal((await listen(ada)).isOpen(), true)
  })
})
