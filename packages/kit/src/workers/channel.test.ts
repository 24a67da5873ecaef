import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Channel, createChannel } from './channel.ts'

/** Two sides that hear each other. */
const openPair = (): [Channel, Channel] => {
  const sides: Channel[] = []
  const open = (other: number) =>
    createChannel((message) => queueMicrotask(() => sides[other]?.receive(structuredClone(message))))
  const pair: [Channel, Channel] = [open(1), open(0)]
  sides.push(...pair)
  return pair
}

test('a question is answered, also one that nobody answers or whose answer fails', async () => {
  const [asking, answering] = openPair()
  answering.answer('hold', ({ max }) => max > 0)
  answering.answer('settle', () => {
    throw new Error('at once')
  })
  answering.answer('figures', async () => {
    throw new Error('later')
  })
  assert.equal(await asking.ask('hold', { key: 'a', max: 1 }), true)
  assert.equal(await asking.ask('settle', null), undefined)
  assert.equal(await asking.ask('figures', null), undefined)
  assert.equal(await asking.ask('release', { key: 'a' }), undefined)
})

test('questions are answered with undefined once the other side is gone', async () => {
  const silent = createChannel(() => undefined)
  const asked = [silent.ask('settle', null), silent.ask('figures', null)]
  silent.close()
  assert.deepEqual(await Promise.all(asked), [undefined, undefined])
})
