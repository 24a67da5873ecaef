import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { createFrames, type FrameDocument, type Frames } from './canvas-frames.ts'
import type { FromCanvas, FromEditor, Target } from './protocol.ts'

const READY: FromCanvas = { t: 'ready', v: 1, sections: [], fields: [], parts: [], height: 1000 }
const TITLE: Target = { kind: 'field', id: 'title', index: 0 }
const documentOf = (channel: string): FrameDocument => ({ channel, html: `<p>${channel}` })
const [first, second, third] = [documentOf('1'), documentOf('2'), documentOf('3')]
const inline = { key: 'title', index: 0, value: 'a' }

const ground = () => {
  let now: Frames = { shown: null, next: null }
  const received: FromCanvas[] = []
  const sent: [string, FromEditor][] = []
  let lost = 0
  const frames = createFrames({
    onFrames: (next) => {
      now = next
    },
    onMessage: (message) => received.push(message),
    onLost: () => {
      lost += 1
    },
  })
  const load = (document: FrameDocument) => {
    frames.load(document)
    frames.connect(document, { send: (message) => sent.push([document.channel, message]), close: () => undefined })
  }
  const open = () => {
    load(first)
    frames.receive(first, READY)
  }
  return { frames, load, open, received, sent, now: () => [now.shown?.channel, now.next?.channel], lost: () => lost }
}

describe('pages of a canvas', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  test('are shown once they are ready, one after the other', () => {
    const { frames, load, received, now } = ground()
    load(first)
    assert.deepEqual(now(), [undefined, '1'])
    frames.receive(first, READY)
    assert.deepEqual(now(), ['1', undefined])
    load(second)
    assert.deepEqual(now(), ['1', '2'])
    frames.receive(second, { t: 'link', href: '/x' })
    frames.receive(second, READY)
    assert.deepEqual(now(), ['2', undefined])
    assert.deepEqual(received, [READY, READY])
  })

  test('are left out when another one comes before they are ready', () => {
    const { frames, load, open, now } = ground()
    open()
    load(second)
    load(third)
    frames.receive(second, READY)
    assert.deepEqual(now(), ['1', '3'])
  })

  test('come at the place and with the selection and design of the page before', () => {
    const { frames, load, open, sent, now } = ground()
    open()
    frames.receive(first, { t: 'scroll', y: 400, height: 1000 })
    frames.receive(first, { t: 'select', target: TITLE, path: [TITLE], rect: null, open: false })
    frames.send({ t: 'setStyle', css: 'p{}', originals: [] })
    load(second)
    sent.length = 0
    frames.receive(second, READY)
    assert.deepEqual(now(), ['1', '2'])
    assert.deepEqual(sent, [
      ['2', { t: 'setStyle', css: 'p{}', originals: [] }],
      ['2', { t: 'highlight', target: TITLE, scroll: false }],
      ['2', { t: 'scrollTo', y: 400 }],
    ])
    frames.receive(second, { t: 'scroll', y: 400, height: 1000 })
    assert.deepEqual(now(), ['2', undefined])
  })

  test('are shown without their place when they do not get there, and find it as they grow', () => {
    const { frames, load, open, sent, now } = ground()
    open()
    frames.receive(first, { t: 'scroll', y: 400, height: 1000 })
    load(second)
    frames.receive(second, READY)
    mock.timers.tick(250)
    assert.deepEqual(now(), ['2', undefined])
    sent.length = 0
    frames.receive(second, { t: 'rects', y: 100, height: 700, rects: [] })
    assert.deepEqual(sent, [['2', { t: 'scrollTo', y: 400 }]])
    frames.receive(second, { t: 'rects', y: 400, height: 1000, rects: [] })
    frames.receive(second, { t: 'rects', y: 50, height: 1000, rects: [] })
    assert.equal(sent.length, 1, 'then people scroll as they like')
  })

  test('wait for somebody who is typing', () => {
    const { frames, load, open, now } = ground()
    open()
    frames.send({ t: 'startInline', key: 'title', index: 0, formatted: false, multiline: false })
    load(second)
    frames.receive(second, READY)
    frames.receive(first, { t: 'edit', ...inline })
    assert.deepEqual(now(), ['1', '2'])
    frames.receive(first, { t: 'commit', ...inline })
    assert.deepEqual(now(), ['2', undefined])
  })

  test('that are prepared get the changes made since', () => {
    const { frames, load, open, sent } = ground()
    open()
    load(second)
    frames.send({ t: 'setText', key: 'title', value: 'New' })
    frames.send({ t: 'clear' })
    assert.deepEqual(
      sent.map(([channel, { t }]) => `${channel} ${t}`),
      ['1 setText', '2 setText', '1 clear'],
    )
  })

  test('that do not start leave the page before where it is', () => {
    const { frames, load, open, now, lost } = ground()
    open()
    load(second)
    frames.lose(second)
    assert.deepEqual([now(), lost()], [['1', undefined], 1])
  })

  test('give the keyboard to what is selected, and to nothing where nothing is', () => {
    const { frames, open, sent } = ground()
    open()
    frames.focusSelected()
    assert.deepEqual(sent, [])
    frames.receive(first, { t: 'select', target: TITLE, path: [TITLE], rect: null, open: false })
    frames.focusSelected()
    assert.deepEqual(sent, [['1', { t: 'highlight', target: TITLE, scroll: false, focus: true }]])
  })
})
