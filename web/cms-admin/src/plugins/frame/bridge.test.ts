import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { Ask } from '@stoa/cms-plugin/bridge-protocol.ts'
import { type Bridge, openBridge } from './bridge.ts'
import { routeAddress } from './messages.ts'

const ORIGIN = 'https://cms.example'

let ends: MessageChannel[] = []
afterEach(() => {
  for (const { port1, port2 } of ends) {
    port1.close()
    port2.close()
  }
  ends = []
})

const ground = (answer: (ask: Ask) => Promise<unknown> = async () => null) => {
  const channel = new MessageChannel()
  ends.push(channel)
  const heights: number[] = []
  const broken: string[] = []
  const asked: Ask[] = []
  let now = 0
  const bridge: Bridge = openBridge(channel.port1, {
    answer: (ask) => {
      asked.push(ask)
      return answer(ask)
    },
    explain: (error) => ({ status: 502, code: 'PLUGIN_FAILED', message: String(error) }),
    onHeight: (height) => heights.push(height),
    onBroken: (reason) => broken.push(reason),
    now: () => now,
  })
  const received: unknown[] = []
  channel.port2.onmessage = ({ data }) => received.push(data)
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    bridge,
    heights,
    broken,
    asked,
    received,
    settle,
    pass: (ms: number) => {
      now += ms
    },
    say: async (...messages: unknown[]) => {
      for (const message of messages) channel.port2.postMessage(message)
      await settle()
    },
  }
}

describe('the bridge to a frame', () => {
  test('answers each request under its own number', async () => {
    const { say, received } = ground(async (ask) => ('path' in ask ? ask.path : null))
    await say(
      { id: 7, ask: 'request', method: 'GET', path: '/a' },
      { id: 8, ask: 'request', method: 'GET', path: '/b' },
    )
    assert.deepEqual(received, [
      { answer: 7, value: '/a' },
      { answer: 8, value: '/b' },
    ])
  })

  test('passes on a failure as the service reported it', async () => {
    const { say, received } = ground(() => Promise.reject(new Error('no')))
    await say({ id: 1, ask: 'request', method: 'POST', path: '/a', body: { x: 1 } })
    assert.deepEqual(received, [{ answer: 1, error: { status: 502, code: 'PLUGIN_FAILED', message: 'Error: no' } }])
  })

  test('ends with the first message that no frame says', async () => {
    for (const forged of [
      'hello',
      null,
      { id: 1, ask: 'cookies' },
      { id: 1, ask: 'request', method: 'TRACE', path: '/a' },
      { id: 1, ask: 'request', method: 'GET', path: 'https://evil.example/' },
      { id: 1, ask: 'toast', text: 'x'.repeat(501) },
      { id: 1, ask: 'navigate', to: { screen: 'a', entry: 'b' } },
      { id: 1, ask: 'navigate', to: 'javascript:alert(1)' },
      { tell: 'height', height: Number.NaN },
    ]) {
      const { say, broken, asked } = ground()
      await say(forged, { id: 2, ask: 'toast', text: 'after' })
      assert.deepEqual([broken.length, asked], [1, []], JSON.stringify(forged))
    }
  })

  test('ends when a frame floods it, and not for fifty messages a second', async () => {
    const { say, broken, heights, pass } = ground()
    const heightsOf = (count: number) => Array.from({ length: count }, (_, height) => ({ tell: 'height', height }))
    await say(...heightsOf(50))
    pass(1_000)
    await say(...heightsOf(50))
    assert.deepEqual([broken, heights.length], [[], 100])
    await say(...heightsOf(10))
    assert.deepEqual([broken.length, heights.length], [1, 100])
  })

  test('lets twenty requests wait and refuses more', async () => {
    const { say, received, asked } = ground(() => new Promise(() => undefined))
    await say(...Array.from({ length: 21 }, (_, id) => ({ id, ask: 'request', method: 'GET', path: '/slow' })))
    assert.equal(asked.length, 20)
    assert.deepEqual(received, [
      { answer: 20, error: { status: 429, code: 'BUSY', message: 'Too many requests at once' } },
    ])
  })

  test('says nothing more once it is closed', async () => {
    let finish = (_value: unknown): void => undefined
    const { say, bridge, received, settle } = ground(
      () =>
        new Promise((resolve) => {
          finish = resolve
        }),
    )
    await say({ id: 1, ask: 'request', method: 'GET', path: '/slow' })
    bridge.close()
    finish('late')
    await settle()
    assert.deepEqual(received, [])
  })
})

describe('a request of a plugin', () => {
  test('goes to its own routes', () => {
    assert.equal(routeAddress('plan', '/plans/1?all=1', ORIGIN), '/ext/plan/plans/1?all=1')
  })

  test('goes nowhere else, however the way is written', () => {
    for (const path of [
      '/../other/secrets',
      '/..%2f..%2fapi/users',
      '/%2e%2e/other/x',
      '/%2e%2e/%2e%2e/api/users',
      '/a/../../other/x',
      '/\\..\\..\\api/users',
    ]) {
      const address = routeAddress('plan', path, ORIGIN)
      assert.ok(address === undefined || new URL(address, ORIGIN).pathname.startsWith('/ext/plan/'), path)
    }
    assert.equal(routeAddress('plan', '/../plan2/x', ORIGIN), undefined)
    assert.equal(routeAddress('plan', '/../../api/users', ORIGIN), undefined)
  })
})
