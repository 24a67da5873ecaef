import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFakeS3 } from '../../lib/fake-s3.ts'
import { type FakeSmtp, startFakeSmtp } from '../../lib/fake-smtp.ts'
import { openMailboxes } from '../mail-load.ts'
import { prepareSite, type Site } from '../site.ts'
import { type Look, openLook } from '../table.ts'
import { startTcpBalancer, type TcpBalancer } from '../tcp-balancer.ts'
import { type Databases, startDatabases } from './databases.ts'
import { type Machine, type Ports, startMachine } from './machine.ts'
import { openPlace } from './network.ts'

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

const MACHINES = [1, 2]
const BOXES = 5

export const openGround = async (): Promise<Ground> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-machines-'))
  const databases = await startDatabases()
  const store = await startFakeS3()
  const relay = await startFakeSmtp({ tls: 'none' })
  const [objects, outside] = await Promise.all([open(Number(new URL(store.endpoint).port)), open(relay.port)])
  const places = await Promise.all(MACHINES.map(openPlace))
  const shared = {
    databasePort: databases.port,
    cmsUrl: databases.cmsUrl,
    mailUrl: databases.mailUrl,
    objects: { ...store, port: objects.port },
    relayPort: outside.port,
  }
  const machines: Machine[] = []
  for (const [at, place] of places.entries()) machines.push(await startMachine(place, shared, join(folder, `m${at}`)))
  const balancers = await balance(machines)
  const ports = Object.fromEntries(Object.entries(balancers).map(([name, { port }]) => [name, port])) as Ports
  const boxes = await openMailboxes(databases.mailUrl, BOXES)
  const look = openLook(databases.cmsUrl)
  return {
    machines,
    databases,
    ports,
    boxes,
    relay,
    look,
    site: await prepareSite(`http://127.0.0.1:${ports.cms}`),
    async close() {
      await Promise.all(machines.map((machine) => machine.stop()))
      for (const part of [...Object.values(balancers), objects, outside, boxes, look]) await part.close()
      for (const place of places) await place.close()
      await databases.stop()
      await store.close()
      await relay.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A server of this machine for those on other networks. */
const open = (port: number): Promise<TcpBalancer> =>
  startTcpBalancer([{ host: '127.0.0.1', port, isReady: async () => true }], { host: '0.0.0.0' })

const balance = async (machines: readonly Machine[]): Promise<Record<keyof Ports, TcpBalancer>> => {
  const to = (port: keyof Ports, service: 'cms' | 'mail') =>
    startTcpBalancer(
      machines.map(({ place, ports, isReady }) => ({
        host: place.host,
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
