import { HOSTING_SECRET } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { freePort } from '../../lib/free-port.ts'
import { workersOf } from '../../process/workers.ts'
import { call } from '../outcomes.ts'
import { type ServiceProcess, startService } from '../service-process.ts'
import type { MachineNetwork } from './network.ts'

/** What both machines share, by its port on this one. */
export type Shared = {
  databasePort: number
  /** Of the databases, with any host and port. */
  cmsUrl: string
  mailUrl: string
  objects: { port: number; bucket: string; accessKey: string; secretKey: string }
  /** All mail to others goes there. */
  relayPort: number
}

export type Ports = { cms: number; mail: number; smtp: number; submissions: number; imaps: number }

/** A machine with both services, each role in a process of its own kind, and no files but its own. */
export type Machine = {
  readonly network: MachineNetwork
  readonly ports: Ports
  isReady(service: 'cms' | 'mail'): Promise<boolean>
  /** SIGKILL to all of its processes at once. */
  kill(): Promise<void>
  restart(): Promise<void>
  /** Whether a process ended that nobody ended. */
  hasExited(): boolean
  stop(): Promise<void>
}

export type MachineOptions = {
  folder: string
  /** Of each process; 1 has none but itself. */
  workers: number
}

export const startMachine = async (
  network: MachineNetwork,
  shared: Shared,
  { folder, workers }: MachineOptions,
): Promise<Machine> => {
  const ports: Ports = {
    cms: await freePort(),
    mail: await freePort(),
    smtp: await freePort(),
    submissions: await freePort(),
    imaps: await freePort(),
  }
  const env = {
    ...(await environment(network, shared, folder)),
    WORKERS: String(workers),
    MAIL_WORKERS: String(workers),
  }
  const cms = { ...env, PORT: String(ports.cms), HOST: '0.0.0.0' }
  const mail = { ...env, MAIL_PORT: String(ports.mail), MAIL_HOST: '0.0.0.0' }
  const doors = { SMTP_PORT: ports.smtp, SUBMISSIONS_PORT: ports.submissions, IMAPS_PORT: ports.imaps }
  const run = (name: 'cms' | 'mail', settings: Record<string, string>) =>
    startService(name, settings, { prefix: network.prefix })
  // The first one migrates, and the others would wait for it.
  const first = await run('cms', { ...cms, CMS_ROLES: 'http' })
  const processes: ServiceProcess[] = [
    first,
    ...(await Promise.all([
      run('cms', { ...cms, CMS_ROLES: 'worker' }),
      run('mail', { ...mail, MAIL_ROLES: 'http,worker' }),
      run('mail', { ...mail, MAIL_ROLES: 'smtp,imap', ...asTexts(doors) }),
    ])),
  ]
  return {
    network,
    ports,
    isReady: async (service) => (await call(`http://${network.host}:${ports[service]}/readyz`)).status === 200,
    async kill() {
      for (const pid of processes.flatMap(({ pid }) => workersOf(pid))) process.kill(pid, 'SIGKILL')
      await Promise.all(processes.map((process) => process.kill()))
    },
    async restart() {
      await Promise.all(processes.map(keepStarting))
    },
    hasExited: () => processes.some((process) => process.hasExited()),
    async stop() {
      await Promise.all(processes.map((process) => process.stop()))
    },
  }
}

const STARTS = 5

/** As a supervisor does: a process that loses its database while it starts ends, and is started again. */
const keepStarting = async (process: ServiceProcess): Promise<void> => {
  for (let start = 1; ; start += 1)
    try {
      return await process.restart()
    } catch (error) {
      if (start === STARTS) throw error
    }
}

const environment = async (
  network: MachineNetwork,
  shared: Shared,
  folder: string,
): Promise<Record<string, string>> => {
  const database = await network.reach('database', shared.databasePort)
  const objects = await network.reach('objects', shared.objects.port)
  const relay = await network.reach('clients', shared.relayPort)
  const at = (url: string) => Object.assign(new URL(url), { hostname: database.host, port: String(database.port) }).href
  return {
    CMS_DATABASE_URL: at(shared.cmsUrl),
    MAIL_DATABASE_URL: at(shared.mailUrl),
    SECRET: HOSTING_SECRET,
    DATA_DIR: folder,
    STORAGE_DRIVER: 'object',
    STORAGE_LOCAL_DIR: `${folder}/uploads`,
    OBJECT_ENDPOINT: `http://${objects.host}:${objects.port}`,
    OBJECT_BUCKET: shared.objects.bucket,
    OBJECT_ACCESS_KEY: shared.objects.accessKey,
    OBJECT_SECRET_KEY: shared.objects.secretKey,
    RELAY_URL: `smtp://${relay.host}:${relay.port}`,
    TRUSTED_PROXIES: '10.0.0.0/8,127.0.0.0/8',
    LIMIT_EXEMPT: '127.0.0.0/8',
    DNS_RESOLVERS: '127.0.0.1:1',
  }
}

const asTexts = (values: Record<string, number>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
