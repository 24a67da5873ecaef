import { serviceDatabase } from '@stoa/tests/lib/service-database.ts'
import { call, memberOf, must, type Report } from '../outcomes.ts'
import { until } from '../readiness.ts'
import { type ServiceProcess, startTwo } from '../service-process.ts'
import { addEntry, prepareSite, publish, type Site, TYPE } from '../site.ts'
import { listen, ticketFor, upgradeStatus } from '../sockets.ts'
import { OWNER } from '../writers.ts'

/** What the service allows for one address from one client. */
const MAX_FAILURES = 5

type Pair = { here: ServiceProcess; there: ServiceProcess; site: Site }
type Finding = { figures: Report['figures']; broken: string[] }

/** Two processes on one database are one service. `comesBack`: the one that was killed is started again. */
export const twoProcesses = async ({ rounds = 50, comesBack = true } = {}): Promise<Report> => {
  const database = await serviceDatabase('cms')
  const env = { CMS_DATABASE_URL: database.url }
  const [here, there] = await startTwo(env)
  const pair: Pair = { here, there, site: await prepareSite(here.url) }
  const findings = [
    await eventsReachSockets(pair, rounds),
    await ticketsWorkOnce(pair, rounds),
    await failuresAreShared(pair),
    await previewsEndWithTheirProcess(pair, comesBack),
  ]
  await Promise.all([here.stop(), there.stop()])
  await database.drop()
  return {
    figures: Object.assign({ rounds }, ...findings.map(({ figures }) => figures)),
    broken: findings.flatMap(({ broken }) => broken),
  }
}

const eventsReachSockets = async ({ here, there, site }: Pair, rounds: number): Promise<Finding> => {
  const socket = await listen(there.url, await ticketFor(there.url, site.token), `content:${TYPE}`)
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const id = await addEntry(here.url, site, `Round ${round}`)
    await publish(here.url, site, id)
    times.push(await socket.receives('entry.published', id).catch(() => Number.POSITIVE_INFINITY))
  }
  socket.close()
  const lost = times.filter((time) => !Number.isFinite(time)).length
  return {
    figures: { events: rounds, slowest_event_ms: Math.round(Math.max(...times)) },
    broken: lost > 0 ? [`${lost} of ${rounds} events did not reach the other process`] : [],
  }
}

/** Both processes are given the same ticket at the same time: one of them lets in. */
const ticketsWorkOnce = async ({ here, there, site }: Pair, rounds: number): Promise<Finding> => {
  const broken: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const ticket = await ticketFor(here.url, site.token)
    const statuses = await Promise.all([upgradeStatus(there.url, ticket), upgradeStatus(here.url, ticket)])
    if (statuses.toSorted((a, b) => a - b).join() !== '101,401')
      broken.push(`a ticket came to ${statuses.join(' and ')}`)
  }
  const ticket = await ticketFor(here.url, site.token)
  const first = await upgradeStatus(there.url, ticket)
  if (first !== 101) broken.push(`a ticket of the other process was refused with ${first}`)
  return { figures: { tickets: rounds + 1 }, broken }
}

const failuresAreShared = async ({ here, there }: Pair): Promise<Finding> => {
  const guess = async ({ url }: ServiceProcess, password: string) =>
    (
      await call(`${url}/api/auth/login`, {
        method: 'POST',
        body: { email: OWNER.email, password },
        headers: { 'x-forwarded-for': '198.51.100.7' },
      })
    ).status
  const statuses = []
  for (let at = 0; at < MAX_FAILURES; at += 1)
    statuses.push(await guess(at % 2 === 0 ? here : there, 'a wrong password'))
  const limited = [await guess(here, OWNER.password), await guess(there, OWNER.password)]
  const isRight = statuses.every((status) => status === 401) && limited.every((status) => status === 429)
  return {
    figures: { wrong_passwords: MAX_FAILURES },
    broken: isRight ? [] : [`sign-ins came to ${[...statuses, ...limited].join(', ')}`],
  }
}

const previewsEndWithTheirProcess = async ({ here, there, site }: Pair, comesBack: boolean): Promise<Finding> => {
  const { token, key } = site
  const id = await addEntry(here.url, site, 'To be seen')
  const body = { title: 'Not saved' }
  const made = await must(`${here.url}/api/entries/${id}/preview`, { method: 'POST', token, body })
  const open = () => call(`${there.url}/preview/${memberOf(made, 'token')}`, { headers: { 'x-api-key': key } })
  const shown = await open()
  const broken: string[] = []
  if (!JSON.stringify(shown.body).includes('Not saved')) broken.push(`the preview came to ${shown.status} there`)
  await here.kill()
  const ended = await until('the preview has ended', async () => (await open()).status === 404).catch(() => {
    broken.push('the preview outlived its process')
    return 0
  })
  if (comesBack) await here.restart()
  if ((await open()).status !== 404) broken.push('the preview came back with a new start')
  return { figures: { preview_ended_ms: Math.round(ended) }, broken }
}
