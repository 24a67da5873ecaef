import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFakeS3 } from '../../lib/fake-s3.ts'
import { type FakeSmtp, startFakeSmtp } from '../../lib/fake-smtp.ts'
import { openMailboxes } from '../mail-load.ts'
import { call } from '../outcomes.ts'
import { until } from '../readiness.ts'
import { prepareSite, type Site } from '../site.ts'
import { type Look, openLook } from '../table.ts'
import { startTcpBalancer, type TcpBalancer } from '../tcp-balancer.ts'
import { type Databases, startDatabases } from './databases.ts'
import { type Machine, type Ports, startMachine } from './machine.ts'
import { openNetwork } from './network.ts'

/** Two machines on one database and one object store, behind a balancer for each port. */
export type Ground = {
  machines: readonly Machine[]
  databases: Databases
  /** Of the balancers. */
  ports: Ports
  site: Site
  boxes: Awaited<ReturnType<typeof openMailboxes>>
  relay: FakeSmtp
  look: Look
  close(): Promise<void>
}

/** By their numbers, with the workers of each of their processes. */
const MACHINES = { 1: 1, 2: 2 }
const BOXES = 5

export const openGround = async (): Promise<Ground> => {
  const closing: (() => unknown)[] = []
  const close = async () => {
    for (const end of closing.toReversed()) await end()
  }
  try {
    return await build((end) => void closing.push(end), close)
  } catch (error) {
    await close()
    throw error
  }
}

const build = async (atEnd: (end: () => unknown) => void, close: () => Promise<void>): Promise<Ground> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-machines-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const databases = await startDatabases()
  atEnd(databases.stop)
  const store = await startFakeS3()
  atEnd(store.close)
  const relay = await startFakeSmtp({ tls: 'none' })
  atEnd(relay.close)
  const [objects, outside] = await Promise.all([open(Number(new URL(store.endpoint).port)), open(relay.port)])
  for (const part of [objects, outside]) atEnd(part.close)
  const shared = {
    databasePort: databases.port,
    cmsUrl: databases.cmsUrl,
    mailUrl: databases.mailUrl,
    objects: { ...store, port: objects.port },
    relayPort: outside.port,
  }
  const machines: Machine[] = []
  for (const [number, workers] of Object.entries(MACHINES)) {
    const network = await openNetwork(Number(number))
    atEnd(network.close)
    const machine = await startMachine(network, shared, { folder: join(folder, number), workers })
    atEnd(machine.stop)
    machines.push(machine)
  }
  const balancers = await balance(machines)
  for (const part of Object.values(balancers)) atEnd(part.close)
  const ports = Object.fromEntries(Object.entries(balancers).map(([name, { port }]) => [name, port])) as Ports
  const boxes = await openMailboxes(databases.mailUrl, BOXES)
  atEnd(boxes.close)
  const look = openLook(databases.cmsUrl)
  atEnd(look.close)
  const isUp = async () => (await call(`http://127.0.0.1:${ports.cms}/readyz`)).status === 200
  await until('the balancer knows the machines', isUp)
  const site = await prepareSite(`http://127.0.0.1:${ports.cms}`)
  return { machines, databases, ports, boxes, relay, look, site, close }
}

/** A server of this machine for those on other networks. */
const open = (port: number): Promise<TcpBalancer> =>
  startTcpBalancer([{ host: '127.0.0.1', port, isReady: async () => true }], { host: '0.0.0.0' })

const balance = async (machines: readonly Machine[]): Promise<Record<keyof Ports, TcpBalancer>> => {
  const to = (port: keyof Ports, service: 'cms' | 'mail') =>
    startTcpBalancer(
      machines.map(({ network, ports, isReady }) => ({
        host: network.host,
        port: ports[port],
        isReady: () => isReady(service),
      })),
      { saysWho: port !== 'cms' && port !== 'mail' },
    )
  return {
    cms: await to('cms', 'cms'),
    mail: await to('mail', 'mail'),
    smtp: await to('smtp', 'mail'),
    submissions: await to('submissions', 'mail'),
    imaps: await to('imaps', 'mail'),
  }
}
