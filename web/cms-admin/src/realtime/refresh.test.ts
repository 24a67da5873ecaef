import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { QueryClient, type QueryKey, QueryObserver } from '@tanstack/react-query'
import { createRefresher, keysOf } from './refresh.ts'

const eventOf = (event: string, id: string | null = null) => ({ event, data: { id } })

describe('what an event makes old', () => {
  test('is the entry and every list of entries', () => {
    const keys = keysOf(eventOf('entry.updated', 'a')).map(String)
    for (const key of ['entry,a', 'entries', 'dashboard', 'trash']) assert.ok(keys.includes(key), key)
    assert.ok(!keys.includes('media'))
  })

  test('is what the site says, and nothing of the rest', () => {
    assert.deepEqual(keysOf(eventOf('menu.updated'))[0], ['menus'])
    assert.deepEqual(keysOf(eventOf('settings.updated'))[0], ['settings'])
    assert.deepEqual(keysOf(eventOf('media.changed'))[0], ['media'])
    assert.deepEqual(keysOf(eventOf('taxonomy.updated'))[0], ['taxonomies'])
    assert.deepEqual(keysOf(eventOf('plugin.updated'))[0], ['plugins'])
    for (const event of ['presence.joined', 'toString', 'unknown.updated']) assert.deepEqual(keysOf(eventOf(event)), [])
  })
})

describe('refreshing', () => {
  const begin = (context: TestContext, isHidden = false) => {
    context.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    const read: string[] = []
    const queryClient = {
      getQueryCache: () => new QueryClient().getQueryCache(),
      invalidateQueries: async ({ queryKey = [] }: { queryKey?: QueryKey } = {}) => void read.push(queryKey.join('.')),
    }
    return {
      read,
      refresher: createRefresher(queryClient, isHidden),
      tick: (ms: number) => context.mock.timers.tick(ms),
    }
  }

  test('reads once for the events of one save', (context) => {
    const { read, refresher, tick } = begin(context)
    for (const event of ['entry.updated', 'entry.published']) refresher.add(keysOf(eventOf(event, 'a')))
    assert.deepEqual(read, [])
    tick(250)
    assert.deepEqual(read, ['entry.a', 'entries', 'trash', 'dashboard', 'activity'])
    tick(10_000)
    assert.equal(read.length, 5)
  })

  test('does not wait for the end of events that do not end', (context) => {
    const { read, refresher, tick } = begin(context)
    for (let ms = 0; ms < 4_000; ms += 100) {
      refresher.add([['entries']])
      tick(100)
    }
    assert.ok(read.length >= 1 && read.length <= 3, String(read.length))
  })

  test('of everything is one reading, and a hidden tab waits until it is seen', (context) => {
    const { read, refresher, tick } = begin(context, true)
    refresher.add([['entries']])
    refresher.addAll()
    tick(10_000)
    assert.deepEqual(read, [])
    refresher.setHidden(false)
    tick(250)
    assert.deepEqual(read, [''])
    refresher.add([['media']])
    refresher.stop()
    tick(10_000)
    assert.deepEqual(read, [''])
  })

  test('reads again what was being read for the first time when the event came', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    const queryClient = new QueryClient()
    const answers: ((value: string) => void)[] = []
    const observer = new QueryObserver(queryClient, {
      queryKey: ['entries', 'article'],
      queryFn: () => new Promise<string>((resolve) => void answers.push(resolve)),
    })
    const leave = observer.subscribe(() => undefined)
    const refresher = createRefresher(queryClient)
    refresher.add([['entries'], ['dashboard']])
    context.mock.timers.tick(250)
    assert.equal(answers.length, 1)
    answers[0]?.('before the event')
    await settled()
    assert.equal(answers.length, 2)
    answers[1]?.('after it')
    await settled()
    assert.deepEqual([observer.getCurrentResult().data, answers.length], ['after it', 2])
    leave()
    queryClient.clear()
  })
})

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
}
