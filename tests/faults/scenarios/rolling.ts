import { type FakeWebhook, startFakeWebhook } from '@stoa/tests/lib/fake-webhook.ts'
import { serviceDatabase } from '@stoa/tests/lib/service-database.ts'
import { startBalancer } from '../balancer.ts'
import { checkEntries, startEntryLoad } from '../entry-load.ts'
import { within } from '../limits.ts'
import { isSuccess, memberOf, must, type Outcome, type Report, summary } from '../outcomes.ts'
import { until } from '../readiness.ts'
import { type ServiceProcess, startTwo } from '../service-process.ts'
import { prepareSite, publish, type Site } from '../site.ts'
import { listen, ticketFor } from '../sockets.ts'
import { type Look, openLook } from '../table.ts'

const MAX_STOP_MS = within(10_000)
const GOING_AWAY = 1001
/** Its entries are sent to the webhook, those of the load are not. */
const NOTICE = 'notice'

const TIMED_OUT = 'select count(*) from webhook_attempt where delivery_id = $1 and attempt = 1'

type Ground = {
  processes: readonly [ServiceProcess, ServiceProcess]
  /** Of the balancer. */
  url: string
  site: Site
  receiver: FakeWebhook
  look: Look
}

/** Two processes behind a balancer are stopped and started in turn, under load: nobody notices. */
export const rolling = async ({ restarts = 20, perSecond = 40 } = {}): Promise<Report> => {
  const database = await serviceDatabase('cms')
  const receiver = await startFakeWebhook()
  const processes = await startTwo({
    CMS_DATABASE_URL: database.url,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    DRAIN_SECONDS: '1',
  })
  const balancer = await startBalancer(processes.map(({ url }) => url))
  const { url } = balancer
  const look = openLook(database.url)
  const site = await prepareSite(url)
  await receiveNotices(url, site, receiver)
  const load = startEntryLoad(site, {
    writesPerSecond: perSecond / 2,
    readsPerSecond: perSecond / 2,
    // A client that waits longer than a stop may take is cut, on purpose: on a busy machine that would be many at once
    underWay: 2,
    url: () => url,
  })
  const { figures, broken } = await restartInTurn({ processes, url, site, receiver, look }, restarts)
  const outcomes = await load.stop()
  broken.push(...failuresOf(outcomes), ...(await checkEntries(look, load, { more: restarts })))
  receiver.script(() => undefined)
  await Promise.all(processes.map((service) => service.stop()))
  await balancer.close()
  await receiver.close()
  await look.close()
  await database.drop()
  const failed = outcomes.filter((outcome) => !isSuccess(outcome)).length
  return {
    figures: { restarts, ...summary(outcomes), failed, retried_by_balancer: balancer.retried(), ...figures },
    broken,
  }
}

const restartInTurn = async ({ processes, url, site, receiver, look }: Ground, restarts: number): Promise<Report> => {
  const broken: string[] = []
  const stops: number[] = []
  const releases: number[] = []
  let held: string | null = null
  for (let restart = 0; restart < restarts; restart += 1) {
    const leaving = processes[restart % 2 === 0 ? 0 : 1]
    const socket = await listen(leaving.url, await ticketFor(leaving.url, site.token), 'site')
    const stoppedAt = performance.now()
    const code = await leaving.stop()
    stops.push(performance.now() - stoppedAt)
    if (code !== 0) broken.push(`a process ended with ${code}`)
    await until('the socket is closed', () => socket.closedWith() !== null)
    if (socket.closedWith() !== GOING_AWAY) broken.push(`a socket was closed with ${socket.closedWith()}`)
    if (held !== null) {
      const id: string = held
      await until('another process delivers what this one had begun', () => attemptsOf(receiver, id) > 1)
      // One whose time was up before the process was stopped waits for its retry, like any other.
      if ((await look.count(TIMED_OUT, [id])) === 0) releases.push(performance.now() - stoppedAt)
    }
    if (restart === restarts - 1) break
    held = await beginDelivery(url, site, receiver, restart)
    await leaving.restart()
  }
  const [slowestStop, slowestRelease] = [Math.max(0, ...stops), Math.max(0, ...releases)].map(Math.round)
  if (Number(slowestStop) > MAX_STOP_MS) broken.push(`a stop took ${slowestStop} ms`)
  if (Number(slowestRelease) > MAX_STOP_MS) broken.push(`a delivery was released after ${slowestRelease} ms`)
  return {
    figures: { stop_ms: Number(slowestStop), released: releases.length, released_ms: Number(slowestRelease) },
    broken,
  }
}

/** A receiver that never answers the first attempt at anything. */
const receiveNotices = async (url: string, { token }: Site, receiver: FakeWebhook): Promise<void> => {
  await must(`${url}/api/types`, { method: 'POST', token, body: { name: NOTICE, label: 'Notice' } })
  const body = { url: receiver.url, events: ['entry.published'], types: [NOTICE] }
  receiver.trust(memberOf(await must(`${url}/api/webhooks`, { method: 'POST', token, body }), 'secret'))
  const seen = new Set<string>()
  receiver.script(({ id }) => {
    const isFirst = !seen.has(id)
    seen.add(id)
    return isFirst ? { hang: true } : {}
  })
}

/** While one process is left, it is given something to deliver that it will not have finished when its turn comes. */
const beginDelivery = async (url: string, site: Site, receiver: FakeWebhook, at: number): Promise<string> => {
  const before = receiver.received.length
  const body = { type: NOTICE, title: `Notice ${at}` }
  const entry = await must(`${url}/api/entries`, { method: 'POST', token: site.token, body })
  await publish(url, site, memberOf(entry, 'id'))
  await until('the delivery has begun', () => receiver.received.length > before)
  return receiver.received.at(-1)?.id ?? ''
}

const attemptsOf = (receiver: FakeWebhook, id: string): number =>
  receiver.received.filter((event) => event.id === id).length

const failuresOf = (outcomes: readonly Outcome[]): string[] =>
  outcomes.filter((outcome) => !isSuccess(outcome)).map(({ status, code }) => `a request failed: ${status} ${code}`)
