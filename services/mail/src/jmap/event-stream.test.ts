import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEventStream } from './event-stream.ts'

const FULL = 'x'.repeat(100_000)

test('a slow reader holds up all writers, and all go on when it reads; what it need not know is left out', async () => {
  const { stream, write, writeIfTaken, end } = openEventStream()
  let done = 0
  const writes = ['1', '2', '3'].map((name) => write(`${FULL}${name}\n`).then(() => (done += 1)))
  for (let count = 0; count < 1_000; count += 1) writeIfTaken('ping\n')
  await new Promise(setImmediate)
  assert.equal(done, 0)
  assert.ok(stream.readableLength < 4 * FULL.length)
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  await Promise.all(writes)
  writeIfTaken('ping\n')
  await write('last\n')
  end()
  await new Promise((resolve) => stream.once('end', resolve))
  assert.equal(text.replaceAll('x', ''), ':\n\n1\n2\n3\nping\nlast\n')
})

test('writers that wait go on when the reader is gone', async () => {
  const { stream, write } = openEventStream()
  const writes = [write(FULL), write(FULL)]
  stream.destroy()
  await Promise.all(writes)
  await write(FULL)
  assert.equal(stream.destroyed, true)
})
