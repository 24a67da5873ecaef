import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { type CanvasLine, openCanvasLine, START_MS } from './canvas-line.ts'
import { envelope, type FromCanvas, type FromEditor } from './protocol.ts'

const CHANNEL = 'channel-of-the-test'
const INIT: Extract<FromEditor, { t: 'init' }> = {
  t: 'init',
  definition: { sections: {}, fields: {} },
  parts: {},
  mode: 'edit',
  locale: 'en',
}
const READY: FromCanvas = { t: 'ready', v: 1, sections: [], fields: [], parts: [], height: 10 }

/** A frame and a window, as far as a line needs them. */
const ground = () => {
  const sent: unknown[] = []
  const received: FromCanvas[] = []
  const loads: string[] = []
  let lost = 0
  const canvas = { postMessage: (message: unknown) => void sent.push(message) }
  const frame = {
    contentWindow: canvas,
    get srcdoc() {
      return '<p>'
    },
    set srcdoc(html: string) {
      loads.push(html)
    },
  }
  const target = new EventTarget()
  const line: CanvasLine = openCanvasLine(
    frame,
    { channel: CHANNEL, init: INIT, onMessage: (message) => received.push(message), onLost: () => (lost += 1) },
    target as unknown as Window,
  )
  const say = (data: unknown, { source = canvas as unknown, origin = 'null' } = {}) =>
    target.dispatchEvent(Object.assign(new Event('message'), { data, source, origin }))
  const speak = (message: FromCanvas) => say(envelope(message, CHANNEL))
  return { line, sent, received, loads, say, speak, lost: () => lost }
}

describe('the line to a canvas', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  test('answers the controller with init, and says the rest once it is ready', () => {
    const { line, sent, received, speak } = ground()
    line.send({ t: 'scrollTo', y: 40 })
    assert.deepEqual(sent, [])
    speak({ t: 'hello', v: 1 })
    assert.deepEqual(sent, [envelope(INIT, CHANNEL)])
    speak(READY)
    line.send({ t: 'clear' })
    assert.deepEqual(sent.slice(1), [envelope({ t: 'scrollTo', y: 40 }, CHANNEL), envelope({ t: 'clear' }, CHANNEL)])
    assert.deepEqual(received, [READY])
  })

  test('ignores messages from another window, another origin, without the channel or of another shape', () => {
    const { received, say, speak } = ground()
    speak(READY)
    const message = envelope<FromCanvas>({ t: 'link', href: '/x' }, CHANNEL)
    say(message, { source: {} })
    say(message, { source: null })
    say(message, { origin: 'https://site.example' })
    say({ ...message, ch: 'another' })
    say({ ...message, href: 1 })
    say('text')
    assert.deepEqual(received, [READY])
  })

  test('ignores everything but ready before it is ready', () => {
    const { received, speak } = ground()
    speak({ t: 'link', href: '/x' })
    assert.deepEqual(received, [])
  })

  test('loads a canvas that does not start once more, and then gives it up', () => {
    const { loads, lost } = ground()
    mock.timers.tick(START_MS)
    assert.deepEqual([loads, lost()], [['<p>'], 0])
    mock.timers.tick(START_MS)
    assert.deepEqual([loads, lost()], [['<p>'], 1])
  })

  test('leaves a canvas alone that is ready', () => {
    const { loads, lost, speak } = ground()
    speak(READY)
    mock.timers.tick(START_MS * 3)
    assert.deepEqual([loads, lost()], [[], 0])
  })

  test('stays quick however much the canvas says', () => {
    const { received, speak } = ground()
    speak(READY)
    for (let index = 0; index < 5000; index += 1) speak({ t: 'scroll', y: index, height: 1 })
    speak({ t: 'link', href: '/x' })
    assert.equal(received.at(-1)?.t, 'link', 'other kinds are received as before')
    // It may have happened at the turn of a second
    assert.ok(received.length <= 2 * 240 + 2, `${received.length} were received`)
  })

  test('is silent once it is closed', () => {
    const { line, received, loads, lost, speak } = ground()
    line.close()
    speak(READY)
    mock.timers.tick(START_MS * 3)
    assert.deepEqual([received, loads, lost()], [[], [], 0])
  })
})
