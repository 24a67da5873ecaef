import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMessage } from './read.ts'
import { readMessageAsync } from './read-async.ts'

const large = (): Buffer =>
  Buffer.from(
    `From: Ann <ann@example.org>\r\nSubject: Large\r\nMessage-ID: <l@x>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n` +
      `--b\r\n\r\nHello there\r\n--b\r\nContent-Disposition: attachment; filename=a.bin\r\n` +
      `Content-Transfer-Encoding: base64\r\n\r\n${'QUJDREVGR0hJSktM\r\n'.repeat(100_000)}--b--\r\n`,
  )

test('a large message is read aside as it would be here', async () => {
  const [expected, read] = [readMessage(large()), await readMessageAsync(large())]
  assert.deepEqual(read, expected)
  assert.equal(read.body.attachments[0]?.part, read.structure.root.children[1], 'parts are still the same objects')
})

test('others have their turn meanwhile', async () => {
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 1)
  await Promise.all([readMessageAsync(large()), readMessageAsync(large()), readMessageAsync(large())])
  clearInterval(timer)
  assert.ok(turns > 0)
})

test('part of a larger buffer is copied, and stays usable', async () => {
  const whole = Buffer.concat([Buffer.from('xx'), large()])
  const read = await readMessageAsync(whole.subarray(2))
  assert.equal(read.subject, 'Large')
  assert.equal(whole.toString('latin1', 0, 6), 'xxFrom')
})
