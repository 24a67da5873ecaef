import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { mediaFixture as media } from '../testing/fixtures.ts'
import { isRunning, startable, step, summaryOf, type UploadEvent, type UploadQueue } from './upload-queue.ts'

const upload = (id: number, problem?: string) => ({ id, batch: 1, name: `${id}.png`, size: 100, folder: '', problem })
const queueOf = (...events: UploadEvent[]): UploadQueue => events.reduce(step, [])
const statuses = (queue: UploadQueue) => queue.map(({ status }) => status)
const add = (...ids: number[]): UploadEvent => ({ kind: 'add', uploads: ids.map((id) => upload(id)) })

describe('the upload queue', () => {
  test('starts files in their order, no more at a time than allowed', () => {
    let queue = queueOf(add(1, 2, 3))
    assert.deepEqual(startable(queue, 2), [1, 2])
    queue = step(queue, { kind: 'start', id: 1 })
    assert.deepEqual(startable(queue, 2), [2])
    queue = step(queue, { kind: 'start', id: 2 })
    assert.deepEqual(startable(queue, 2), [])
    queue = step(queue, { kind: 'done', id: 1, media })
    assert.deepEqual(startable(queue, 2), [3])
  })

  test('a file that was refused before it was sent never starts and cannot be retried', () => {
    const queue = queueOf({ kind: 'add', uploads: [upload(1, 'Too large'), upload(2)] }, { kind: 'retry', id: 1 })
    assert.deepEqual(statuses(queue), ['failed', 'waiting'])
    assert.equal(queue[0]?.problem, 'Too large')
    assert.deepEqual(startable(queue, 5), [2])
  })

  test('a failed file waits again when it is retried, without its old problem', () => {
    const failed = queueOf(
      add(1),
      { kind: 'start', id: 1 },
      { kind: 'progress', id: 1, share: 0.7 },
      { kind: 'fail', id: 1, problem: 'No connection', retryable: true },
    )
    assert.deepEqual([failed[0]?.status, failed[0]?.problem, failed[0]?.share], ['failed', 'No connection', 0])
    const again = step(failed, { kind: 'retry', id: 1 })
    assert.deepEqual([again[0]?.status, again[0]?.problem], ['waiting', undefined])
    const final = step(step(again, { kind: 'start', id: 1 }), {
      kind: 'fail',
      id: 1,
      problem: 'Not a picture',
      retryable: false,
    })
    assert.equal(step(final, { kind: 'retry', id: 1 }), final)
  })

  test('what comes after the end of a file changes nothing', () => {
    const cancelled = queueOf(add(1), { kind: 'start', id: 1 }, { kind: 'cancel', id: 1 })
    for (const late of [
      { kind: 'progress', id: 1, share: 0.5 },
      { kind: 'done', id: 1, media },
      { kind: 'fail', id: 1, problem: 'Aborted', retryable: true },
      { kind: 'start', id: 1 },
      { kind: 'cancel', id: 1 },
      { kind: 'progress', id: 9, share: 1 },
    ] satisfies UploadEvent[])
      assert.equal(step(cancelled, late), cancelled)
  })

  test('progress never goes back, nor over the end', () => {
    const queue = queueOf(
      add(1),
      { kind: 'start', id: 1 },
      { kind: 'progress', id: 1, share: 0.6 },
      { kind: 'progress', id: 1, share: 0.2 },
    )
    assert.equal(queue[0]?.share, 0.6)
    assert.equal(step(queue, { kind: 'progress', id: 1, share: 7 })[0]?.share, 1)
  })

  test('clearing keeps what still runs', () => {
    const queue = queueOf(add(1, 2, 3), { kind: 'start', id: 1 }, { kind: 'cancel', id: 2 }, { kind: 'clear' })
    assert.deepEqual(
      queue.map(({ id }) => id),
      [1, 3],
    )
  })

  test('the summary counts by bytes, without what failed', () => {
    const queue = queueOf(
      { kind: 'add', uploads: [{ ...upload(1), size: 300 }, upload(2), upload(3, 'Too large'), upload(4)] },
      { kind: 'start', id: 1 },
      { kind: 'progress', id: 1, share: 0.5 },
      { kind: 'start', id: 2 },
      { kind: 'done', id: 2, media },
      { kind: 'cancel', id: 4 },
    )
    assert.deepEqual(summaryOf(queue), { total: 4, done: 1, failed: 1, cancelled: 1, running: 1, share: 250 / 400 })
    assert.equal(summaryOf([]).share, 0)
  })

  test('whatever happens in whatever order, files are counted once and ended ones stay ended', () => {
    const id = fc.integer({ min: 1, max: 4 })
    const event = fc.oneof(
      fc.record({ kind: fc.constant('start' as const), id }),
      fc.record({ kind: fc.constant('progress' as const), id, share: fc.double({ min: 0, max: 1, noNaN: true }) }),
      fc.record({ kind: fc.constant('done' as const), id, media: fc.constant(media) }),
      fc.record({
        kind: fc.constant('fail' as const),
        id,
        problem: fc.constant('x'),
        retryable: fc.boolean(),
      }),
      fc.record({ kind: fc.constant('cancel' as const), id }),
      fc.record({ kind: fc.constant('retry' as const), id }),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let queue = queueOf(add(1, 2, 3, 4))
        for (const one of events) {
          const before = queue
          queue = step(queue, one)
          const { total, done, failed, cancelled, running, share } = summaryOf(queue)
          assert.equal(done + failed + cancelled + running, total)
          assert.ok(share >= 0 && share <= 1)
          for (const item of before)
            if (item.status === 'done')
              assert.equal(
                queue.find(({ id: other }) => other === item.id),
                item,
              )
          assert.ok(startable(queue, 2).every((next) => queue.some((item) => item.id === next && isRunning(item))))
        }
      }),
      { seed: 7 },
    )
  })
})
