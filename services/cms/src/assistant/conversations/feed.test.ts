import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TurnEvent } from '@stoa/cms-model/assistant.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { createFeed } from './feed.ts'

const text = (delta: string): TurnEvent => ({ event: 'text', data: { messageId: 'm', delta } })
const step = (n: number): TurnEvent => ({ event: 'step', data: { n, max: 12 } })
const navigate: TurnEvent = { event: 'navigate', data: { screen: 'media' } }
const staying = new AbortController().signal

const line = ({ event, data }: TurnEvent): string => ('delta' in data ? data.delta : event)

describe('the feed of a turn', () => {
  test('gives every reader all events from the first one on, text that waits in one piece', async () => {
    const feed = createFeed()
    const early: string[] = []
    const reading = (async () => {
      for await (const event of feed.read(staying)) early.push(line(event))
    })()
    feed.emit(step(1))
    for (const letters of ['ab', 'cd']) {
      for (const letter of letters) feed.emit(text(letter))
      await until(() => early.at(-1) === letters, `${letters} is sent`)
    }
    feed.emit(text('e'))
    feed.emit(step(2))
    feed.end()
    await reading
    assert.deepEqual(early, ['step', 'ab', 'cd', 'e', 'step'])
    const late: string[] = []
    for await (const event of feed.read(staying)) late.push(line(event))
    assert.deepEqual(late, ['step', 'abcde', 'step'])
  })

  test('sends to a screen only who was there at that moment', async () => {
    const feed = createFeed()
    feed.emit(navigate)
    const late = feed.read(staying)
    feed.emit(step(1))
    const first = late.next()
    feed.emit(navigate)
    feed.end()
    assert.equal((await first).value?.event, 'step')
    assert.equal((await late.next()).value?.event, 'navigate')
    assert.equal((await late.next()).done, true)
  })

  test('lets go of a reader who leaves while nothing comes', async () => {
    const feed = createFeed()
    const leaving = new AbortController()
    const next = feed.read(leaving.signal).next()
    leaving.abort()
    assert.equal((await next).done, true)
  })
})
