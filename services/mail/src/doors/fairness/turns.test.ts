import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTurns } from './turns.ts'

test('mailboxes take turns, however much one of them has to do', async () => {
  const turns = createTurns()
  const order: string[] = []
  const work = async (mailboxId: string, name: string): Promise<void> => {
    await turns.begin(mailboxId).next()
    order.push(name)
  }
  await Promise.all([work('a', 'a1'), work('a', 'a2'), work('a', 'a3'), work('b', 'b1'), work('c', 'c1')])
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'a3'])
})

test('the event loop does one slice in a round, so that others are served in between', async () => {
  const turns = createTurns()
  const seen: string[] = []
  let isOver = false
  const round = (): void => {
    seen.push('-')
    if (!isOver) setImmediate(round)
  }
  setImmediate(round)
  await Promise.all(
    Array.from({ length: 4 }, async (_, index) => {
      await turns.begin(`mailbox ${index}`).next()
      seen.push('x')
    }),
  )
  isOver = true
  assert.doesNotMatch(seen.join(''), /xx/)
})

test('a slice is over after its time, and the next one begins with the turn', async () => {
  let now = 0
  const turn = createTurns({ now: () => now, sliceMs: 4 }).begin('a')
  now = 3
  assert.equal(turn.isOver(), false)
  now = 4
  assert.equal(turn.isOver(), true)
  await turn.next()
  assert.equal(turn.isOver(), false)
})
