import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { createMemory, type Memory, type Reservation } from './memory.ts'

const asking = (memory: Memory) => {
  const granted: string[] = []
  const held = new Map<string, Reservation>()
  const ask = (mailboxId: string, name: string, bytes = 10): void => {
    memory.reserve(mailboxId, bytes).then((reservation) => {
      granted.push(name)
      held.set(name, reservation)
    })
  }
  return { ask, granted, free: (name: string) => held.get(name)?.release(), held }
}

test('one mailbox has at most its share, and others do not wait for it', async () => {
  const { ask, granted } = asking(createMemory({ total: 40, share: 20 }))
  for (const name of ['a1', 'a2', 'a3', 'a4']) ask('a', name)
  ask('b', 'b1')
  await nextTurn()
  assert.deepEqual(granted, ['a1', 'a2', 'b1'])
})

test('what is given back goes to the mailboxes in turn', async () => {
  const { ask, granted, free } = asking(createMemory({ total: 20, share: 20 }))
  for (const name of ['a1', 'a2', 'a3', 'a4']) ask('a', name)
  ask('b', 'b1')
  ask('b', 'b2')
  await nextTurn()
  for (const name of ['a1', 'a2', 'a3', 'b1']) {
    free(name)
    await nextTurn()
  }
  assert.deepEqual(granted, ['a1', 'a2', 'a3', 'b1', 'a4', 'b2'])
})

test('what is not needed any more is given back at once, and only once', async () => {
  const { ask, granted, held } = asking(createMemory({ total: 20, share: 20 }))
  ask('a', 'a1', 20)
  ask('b', 'b1', 15)
  await nextTurn()
  held.get('a1')?.shrinkTo(8)
  await nextTurn()
  assert.deepEqual(granted, ['a1'])
  held.get('a1')?.shrinkTo(5)
  held.get('a1')?.shrinkTo(19)
  await nextTurn()
  assert.deepEqual(granted, ['a1', 'b1'])
  held.get('a1')?.release()
  held.get('a1')?.release()
  ask('c', 'c1', 5)
  ask('c', 'c2', 5)
  await nextTurn()
  assert.deepEqual(granted, ['a1', 'b1', 'c1'])
})

test('clients that take their answers slowly are cut off when somebody waits, the first of them first', async () => {
  const memory = createMemory({ total: 20, share: 20, patienceMs: 1 })
  const { ask, granted, held, free } = asking(memory)
  ask('a', 'a1')
  ask('b', 'b1')
  await nextTurn()
  const cut: string[] = []
  for (const name of ['b1', 'a1'])
    held.get(name)?.sending(() => {
      cut.push(name)
      free(name)
    })
  await passTime(20, 'whoever is too slow would be cut by now')
  assert.deepEqual(cut, [], 'nobody waits')
  ask('c', 'c1')
  await until(() => granted.length === 3, 'the third has its share')
  assert.deepEqual([granted, cut], [['a1', 'b1', 'c1'], ['b1']])
})
