import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { workMs } from '@stoa/tests/lib/work.ts'
import { type ImapGround, startImapGround } from '../testing/ground.ts'

let ground: ImapGround
before(async () => {
  ground = await startImapGround()
})
after(() => ground.close())

/** Many tiny parts, whose headers are too many to be kept in the database. */
const PARTS = '--b\r\nContent-Type: text/plain; name=x\r\n\r\nx\r\n'.repeat(8_000)
const hostile = (number: number): string =>
  `From: x@example.org\r\nSubject: ${number}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${PARTS}--b--\r\n`

const openMailbox = async (messages: number) => {
  const address = await ground.address()
  for (let number = 0; number < messages; number += 1) await ground.add(address, { raw: hostile(number) })
  const client = await ground.signIn(address)
  await client.ok('examine inbox')
  return client
}

test('the headers of a thousand parts are one read', async () => {
  const client = await openMailbox(1)
  let reads = 0
  const { get } = ground.blobs
  ground.blobs.get = (key, options) => {
    reads += 1
    return get(key, options)
  }
  const [line = ''] = await client.ok('fetch 1 (bodystructure body envelope)')
  ground.blobs.get = get
  assert.equal(line.match(/"TEXT" "PLAIN"/g)?.length, 999 * 2)
  assert.ok(reads <= 3, `${reads} reads`)
})

test('others have their turn while body structures are sent', async () => {
  const client = await openMailbox(20)
  // All of them take some hundred milliseconds; the client of the test works in the same thread. A machine that was
  // interrupted meanwhile is asked again: what waits for all of them does so each time.
  let longest = await longestTurn(client)
  for (let look = 1; look < 3 && longest >= 150; look += 1) longest = Math.min(longest, await longestTurn(client))
  assert.ok(longest < 150, `${longest} ms`)
})

/** How much work is done at most before others have their turn. */
const longestTurn = async (client: Awaited<ReturnType<typeof openMailbox>>): Promise<number> => {
  let isOver = false
  let longest = 0
  let last = workMs()
  const watch = (): void => {
    const now = workMs()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(watch)
  }
  watch()
  const lines = await client.ok('fetch 1:* bodystructure')
  isOver = true
  assert.equal(lines.length, 20)
  return longest
}
