import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { POSITION_HEADER } from '@stoa/cms-model/position-header.ts'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { runs } from '@stoa/tests/lib/runs.ts'
import { startTcpProxy, type TcpProxy } from '@stoa/tests/lib/tcp-proxy.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { createLiveSocket } from './live-socket.ts'
import { createRefresher, keysOf } from './refresh.ts'

/** Two processes of one service, each behind a proxy whose connections can be cut. */
const processes: { service: CmsService; proxy: TcpProxy }[] = []
let admin: Person
const entries: string[] = []

const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] ?? assert.fail()
const clientOf = (service: CmsService) => service.client({ token: admin.token })

before(async () => {
  const first = await startCms()
  const second = await startCms({ databaseUrl: first.databaseUrl, clock: first.clock })
  for (const service of [first, second]) {
    await service.cms.services.bus.ready()
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(service.url).port) })
    processes.push({ service, proxy })
  }
  admin = await first.person('admin')
  assert.equal((await admin.client.post('/api/types', { name: 'article', label: 'Article' })).status, 201)
  for (let index = 0; index < 4; index += 1)
    entries.push((await admin.client.post('/api/entries', { type: 'article', title: `Entry ${index}` })).body.id)
  // A page of a process that has not heard of the last entry yet would rightly read again.
  await until(
    () => new Set(processes.map(({ service }) => service.cms.services.bus.position())).size === 1,
    () => 'both processes have heard of all entries',
  )
})
after(async () => {
  for (const { proxy } of processes) await proxy.close()
  for (const { service } of processes.toReversed()) await service.close()
})

const read = async (service: CmsService): Promise<string> => {
  const { body } = await clientOf(service).get('/api/entries?type=article&limit=100&sort=createdAt')
  return body.items.map(({ id, title }: { id: string; title: string }) => `${id} ${title}`).join('\n')
}

/** A tab as the admin is one: it asks who is signed in, reads, and opens its socket, each at any of the processes. */
const openTab = async () => {
  const me = await clientOf(any(processes).service).get('/api/auth/me')
  const counts = { reads: 0, missed: 0 }
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: 30_000 } } })
  const list = new QueryObserver(queryClient, {
    queryKey: ['entries', 'article'],
    queryFn: () => {
      counts.reads += 1
      return read(any(processes).service)
    },
  })
  const leave = list.subscribe(() => undefined)
  const refresher = createRefresher(queryClient)
  const at = any(processes)
  const socket = createLiveSocket({
    address: `ws://127.0.0.1:${at.proxy.port}/realtime`,
    ticket: async () => (await clientOf(at.service).post('/api/realtime/ticket')).body.ticket,
    since: me.headers.get(POSITION_HEADER) ?? assert.fail('a position'),
    onEvent: (event) => refresher.add(keysOf(event)),
    onMissed: () => {
      counts.missed += 1
      refresher.addAll()
    },
  })
  for (const topic of ['content:article', 'site']) socket.listen(topic, () => undefined)
  await passTime(Math.random() * 50, 'tabs are opened one after the other')
  socket.start()
  return {
    counts,
    socket,
    queryClient,
    shown: () => list.getCurrentResult().data,
    close: () => {
      socket.stop()
      refresher.stop()
      leave()
      queryClient.clear()
    },
  }
}

test('a tab reads once, and after an interruption only what has changed', async () => {
  const tab = await openTab()
  const isOpen = () => tab.socket.status() === 'open'
  /** All earlier events were applied by the time that this is read again. */
  const settingsAreOld = async (): Promise<void> => {
    tab.queryClient.setQueryData(['settings'], 'as they were')
    await admin.client.put('/api/settings', { tagline: randomUUID() })
    await until(
      () => tab.queryClient.getQueryState(['settings'])?.isInvalidated === true,
      () => 'the settings have changed',
    )
  }
  await until(isOpen, () => 'open')
  await settingsAreOld()
  for (const { proxy } of processes) proxy.cut()
  await until(
    () => !isOpen(),
    () => 'the loss',
  )
  tab.socket.wake()
  await settingsAreOld()
  await until(
    () => tab.shown() !== undefined,
    () => 'the list',
  )
  assert.deepEqual(tab.counts, { reads: 1, missed: 0 })
  tab.close()
})

test('what a tab shows in the end is what is stored, whatever others do while it reads, listens and is cut off', async () => {
  let isOver = false
  let saves = 0
  const writers = Array.from({ length: 3 }, async () => {
    while (!isOver) {
      saves += 1
      const saved = await clientOf(any(processes).service).put(`/api/entries/${any(entries)}`, {
        title: `Save ${saves}`,
      })
      assert.ok([200, 409].includes(saved.status), saved.text)
      await passTime(Math.random() * 60, 'saves happen over the time of the cuts')
    }
  })
  const tabs: Awaited<ReturnType<typeof openTab>>[] = []
  for (let round = 0; round < runs(12, 100); round += 1) {
    tabs.push(await openTab())
    if (round % 4 === 3) {
      any(processes).proxy.cut()
      for (const { socket } of tabs) socket.wake()
    }
    await passTime(Math.random() * 100, 'tabs listen for a while between two cuts')
  }
  isOver = true
  await Promise.all(writers)
  for (const { socket } of tabs) socket.wake()
  const stored = await read(any(processes).service)
  for (const tab of tabs)
    await until(
      () => tab.shown() === stored,
      () => `${tab.shown()}\nis not\n${stored}`,
    )
  assert.ok(tabs.every(({ counts }) => counts.missed === 0))
  for (const { close } of tabs) close()
})
