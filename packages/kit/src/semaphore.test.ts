import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settle } from 'node:timers/promises'
import { Fault } from './errors.ts'
import { createSemaphore } from './semaphore.ts'

const gate = () => Promise.withResolvers<string>()

test('work runs in parallel up to the limit, the rest waits in order', async () => {
  const semaphore = createSemaphore({ parallel: 2, waiting: 10 })
  const gates = [gate(), gate(), gate(), gate()]
  const started: number[] = []
  const results = gates.map((each, index) =>
    semaphore.run(() => {
      started.push(index)
      return each.promise
    }),
  )
  await settle()
  assert.deepEqual(started, [0, 1])
  assert.deepEqual(semaphore.state(), { running: 2, waiting: 2 })
  gates[1]!.resolve('b')
  assert.equal(await results[1], 'b')
  await settle()
  assert.deepEqual(started, [0, 1, 2])
  for (const each of gates) each.resolve('done')
  await Promise.all(results)
  assert.deepEqual(started, [0, 1, 2, 3])
  assert.deepEqual(semaphore.state(), { running: 0, waiting: 0 })
})

test('work beyond the queue is refused as unavailable and never starts', async () => {
  const semaphore = createSemaphore({ parallel: 1, waiting: 1 })
  const first = gate()
  const running = semaphore.run(() => first.promise)
  const waiting = semaphore.run(async () => 'second')
  let ran = false
  await assert.rejects(
    semaphore.run(async () => {
      ran = true
    }),
    (error) => error instanceof Fault && error.kind === 'unavailable',
  )
  assert.equal(ran, false)
  first.resolve('first')
  assert.deepEqual(await Promise.all([running, waiting]), ['first', 'second'])
})

test('failing work frees its place', async () => {
  const semaphore = createSemaphore({ parallel: 1, waiting: 5 })
  const failures = [1, 2, 3].map((number) => semaphore.run(() => Promise.reject(new Error(`no ${number}`))))
  for (const failure of failures) await assert.rejects(failure)
  await assert.rejects(
    semaphore.run(() => {
      throw new Error('at once')
    }),
    /at once/,
  )
  assert.equal(await semaphore.run(async () => 'free'), 'free')
  assert.deepEqual(semaphore.state(), { running: 0, waiting: 0 })
})
