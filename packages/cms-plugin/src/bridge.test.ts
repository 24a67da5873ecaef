import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { openBridge, RequestError } from './bridge.ts'
import type { FrameContext, FromFrame, ToFrame } from './bridge-protocol.ts'

const CONTEXT: FrameContext = {
  plugin: 'hello',
  theme: 'light',
  locale: 'en',
  person: { id: 'p1', name: 'Ada', role: 'editor' },
  entry: null,
}

/** The admin's end of the channel: what the frame says, in order, and a way to answer. */
const admin = (t: TestContext) => {
  const { port1, port2 } = new MessageChannel()
  t.after(() => port1.close())
  const received: FromFrame[] = []
  const listeners: (() => void)[] = []
  port2.onmessage = ({ data }) => {
    received.push(data)
    for (const listener of listeners.splice(0)) listener()
  }
  const messages = async (count: number): Promise<FromFrame[]> => {
    while (received.length < count) await new Promise<void>((done) => listeners.push(done))
    return received
  }
  return { port: port1 as unknown as MessagePort, messages, say: (message: ToFrame) => port2.postMessage(message) }
}

describe('the bridge of a screen', () => {
  test('an answer goes to the question with its number, whatever the order', async (t) => {
    const { port, messages, say } = admin(t)
    const stoa = openBridge(port, CONTEXT)
    const first = stoa.request('GET', '/plans')
    const second = stoa.request('POST', '/plans', { title: 'A' })
    assert.deepEqual(await messages(2), [
      { ask: 'request', method: 'GET', path: '/plans', id: 1 },
      { ask: 'request', method: 'POST', path: '/plans', body: { title: 'A' }, id: 2 },
    ])
    say({ answer: 2, value: 'second' })
    say({ answer: 1, value: 'first' })
    assert.deepEqual(await Promise.all([first, second]), ['first', 'second'])
  })

  test('a refusal is an error with status, code, message and details', async (t) => {
    const { port, messages, say } = admin(t)
    const stoa = openBridge(port, CONTEXT)
    const refused = stoa.request('DELETE', '/plans/1').catch((error: unknown) => error)
    await messages(1)
    say({
      answer: 1,
      error: { status: 409, code: 'VERSION_CONFLICT', message: 'Somebody was quicker', details: { n: 1 } },
    })
    const error = await refused
    assert.ok(error instanceof RequestError)
    assert.deepEqual(
      [error.status, error.code, error.message, error.details],
      [409, 'VERSION_CONFLICT', 'Somebody was quicker', { n: 1 }],
    )
  })

  test('a body that cannot be sent fails at once', async (t) => {
    const { port } = admin(t)
    await assert.rejects(openBridge(port, CONTEXT).request('POST', '/plans', { run: () => 1 }), /could not be cloned/)
  })

  test('the context is the one sent last, until listeners unsubscribe', async (t) => {
    const { port, say } = admin(t)
    const stoa = openBridge(port, CONTEXT)
    const themes: string[] = []
    const changed = new Promise<void>((done) => stoa.onContext(() => done()))
    const leave = stoa.onContext(({ theme }) => themes.push(theme))
    say({ tell: 'context', context: { ...CONTEXT, theme: 'dark' } })
    await changed
    assert.equal(stoa.context.theme, 'dark')
    leave()
    const again = new Promise<void>((done) => stoa.onContext(() => done()))
    say({ tell: 'context', context: CONTEXT })
    await again
    assert.deepEqual(themes, ['dark'])
    assert.equal(stoa.context.theme, 'light')
  })

  test('toast, navigate, pick and confirm say what they want, and nothing that was not given', async (t) => {
    const { port, messages } = admin(t)
    const stoa = openBridge(port, CONTEXT)
    const ignored = [
      stoa.toast('Saved', 'success'),
      stoa.navigate({ screen: 'clients' }),
      stoa.pickMedia(),
      stoa.pickEntry(['article']),
      stoa.confirm({ title: 'Delete plan?', isDangerous: true }),
    ]
    assert.deepEqual(await messages(ignored.length), [
      { ask: 'toast', text: 'Saved', kind: 'success', id: 1 },
      { ask: 'navigate', to: { screen: 'clients' }, id: 2 },
      { ask: 'pickMedia', id: 3 },
      { ask: 'pickEntry', types: ['article'], id: 4 },
      { ask: 'confirm', title: 'Delete plan?', isDangerous: true, id: 5 },
    ])
  })
})
