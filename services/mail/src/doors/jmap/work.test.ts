import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type JmapGround, startJmap } from './testing/ground.ts'

let ground: JmapGround
before(async () => {
  ground = await startJmap()
})
after(() => ground.close())

const INNER_PARTS = 100

/** About ten megabytes, with a message of many parts in it. */
const nested = (): string => {
  const parts = `--i\r\n\r\n${`${'y'.repeat(70)}\r\n`.repeat(1_000)}`.repeat(INNER_PARTS)
  const inner = `Subject: inner\r\nContent-Type: multipart/mixed; boundary=i\r\n\r\n${parts}--i--\r\n`
  const content = Buffer.from(inner).toString('base64')
  const part = `--b\r\nContent-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n${content}\r\n`
  return `Subject: outer\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${part}--b--\r\n`
}

test('all parts of a message in a message can be asked for at once', async () => {
  const { accountId, client } = ground.ann
  const { blobId } = await client.upload(accountId, nested())
  const ids = Array.from({ length: INNER_PARTS }, (_, index) => `q${blobId.slice(1)}-1-${index + 1}`)
  const { list } = await client.one('Blob/get', { accountId, ids, properties: ['size'] })
  assert.deepEqual([list.length, list[0].size], [INNER_PARTS, 71_998])
})

test('large messages that are taken apart again and again end the request; what was asked for before is done', async () => {
  const { accountId, client, folders } = ground.ann
  const { blobId } = await client.upload(accountId, nested())
  const id = blobId.slice(1)
  const ids = Array.from({ length: 60 }, (_, index) => [`q${id}-${index + 1}`, `q${id}-1-${index + 1}`]).flat()
  const emails = { a: { blobId, mailboxIds: { [folders.inbox]: true } } }
  const importing: [string, Record<string, unknown>] = ['Email/import', { accountId, emails }]
  const before = (await client.one('Email/query', { accountId })).ids.length
  const [done, refused, lookedUp, parsed, late] = await client.call(
    importing,
    ['Blob/get', { accountId, ids, properties: ['size'] }],
    ['Blob/lookup', { accountId, ids, typeNames: ['Email'] }],
    ['Email/parse', { accountId, blobIds: [blobId] }],
    importing,
  )
  assert.ok(done?.[1].created.a.id)
  for (const answer of [refused, lookedUp, parsed, late])
    assert.deepEqual([answer?.[0], answer?.[1].type], ['error', 'requestTooLarge'])
  assert.equal((await client.one('Email/query', { accountId })).ids.length, before + 1)
  // The next request is another one.
  const [again] = await client.call(importing)
  assert.ok(again?.[1].created.a.id)
})

test('objects of a /set that are too many together are refused one by one; those before are done', async () => {
  const { accountId, client, folders } = ground.ann
  const { blobId } = await client.upload(accountId, nested())
  const email = { blobId, mailboxIds: { [folders.inbox]: true } }
  const emails = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`a${index}`, email]))
  const { created, notCreated } = await client.one('Email/import', { accountId, emails })
  assert.ok(created.a0.id)
  assert.equal(notCreated.a15.type, 'rateLimit')
  assert.equal(Object.keys(created).length + Object.keys(notCreated).length, 16)
})
