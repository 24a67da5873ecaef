import { ensureDatabase } from '@stoa/kit/postgres/databases.ts'
import pg from 'pg'
import { type ReplicatedServer, startReplicatedServer } from '../../lib/standby.ts'
import { startTcpProxy, type TcpProxy } from '../../lib/tcp-proxy.ts'
import { startTcpBalancer, type TcpBalancer } from '../tcp-balancer.ts'

/** A primary and its standby behind one address, which leads to whichever takes writes. */
export type Databases = {
  readonly port: number
  readonly cmsUrl: string
  readonly mailUrl: string
  /** The standby stops receiving commits; some time later the primary crashes, and the standby takes over. */
  failOver(lagMs: number): Promise<void>
  /** A new standby for whichever is the primary now. */
  follow(isSynchronous: boolean): Promise<void>
  /** Whether commits wait for the standby that there is. */
  setSynchronous(isSynchronous: boolean): Promise<void>
  stop(): Promise<void>
}

/** A server that crashed refuses at once. One that is only slow must not be left: that would cut everybody off. */
const CHECK_MS = 10_000

export const startDatabases = async (): Promise<Databases> => {
  let primary = await startReplicatedServer()
  const urls = [await ensureDatabase(primary, 'stoa_cms'), await ensureDatabase(primary, 'stoa_mail')]
  const balancer = await startTcpBalancer([targetOf(primary)], { host: '0.0.0.0', checkMs: CHECK_MS })
  const [cmsUrl = '', mailUrl = ''] = urls.map((url) => throughBalancer(url, balancer))
  let standby: { server: ReplicatedServer; line: TcpProxy } | null = null
  return {
    port: balancer.port,
    cmsUrl,
    mailUrl,
    async follow(isSynchronous) {
      const line = await startTcpProxy({ host: '127.0.0.1', port: primary.port })
      const server = await primary.addStandby({ through: line.port })
      standby = { server, line }
      balancer.add(targetOf(server))
      await primary.waitForStandby(isSynchronous)
    },
    setSynchronous: (isSynchronous) => primary.waitForStandby(isSynchronous),
    async failOver(lagMs) {
      if (!standby) throw new Error('there is no standby')
      const { server, line } = standby
      line.freeze()
      await new Promise((resolve) => setTimeout(resolve, lagMs))
      await primary.crash()
      await line.close()
      await server.promote()
      primary = server
      standby = null
    },
    async stop() {
      await balancer.close()
      await standby?.server.stop()
      await standby?.line.close()
      await primary.stop()
    },
  }
}

const throughBalancer = (url: string, { port }: TcpBalancer): string =>
  Object.assign(new URL(url), { port: String(port) }).href

/** As balancers of PostgreSQL ask: does it take writes? */
const targetOf = (server: ReplicatedServer) => ({
  host: '127.0.0.1',
  port: server.port,
  async isReady() {
    const client = new pg.Client({ connectionString: server.url('postgres'), connectionTimeoutMillis: CHECK_MS })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query('select not pg_is_in_recovery() as "isPrimary"')
      return Boolean(rows[0].isPrimary)
    } finally {
      await client.end().catch(() => undefined)
    }
  },
})
