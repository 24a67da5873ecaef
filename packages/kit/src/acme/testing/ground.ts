import { readFile } from 'node:fs/promises'
import { type ConnectionOptions, connect, createServer, type TLSSocket } from 'node:tls'
import { freshDatabase, PATIENT } from '@stoa/tests/lib/cluster.ts'
import { createTestClock } from '../../clock.ts'
import { type Database, openDatabase } from '../../db/database.ts'
import { openBus } from '../../events/bus.ts'
import { createLogger } from '../../log.ts'
import { Secret } from '../../secret.ts'
import { createContexts } from '../../tls/source.ts'
import { startChallengeServer } from '../challenge-server.ts'
import { authorityEgress } from '../egress.ts'
import { createKeeper, type KeeperOptions } from '../keeper.ts'
import { openOrdered } from '../ordered.ts'
import { certificateSealer } from '../sealing.ts'
import type { AcmeTables } from '../tables.ts'

export const secret = new Secret('a secret of more than thirty-two characters')

export type Authority = { directory: string; ca: string }

/** A database with the tables, and processes of a service on it. */
export const createAcmeGround = async () => {
  const fresh = await freshDatabase()
  const logs: string[] = []
  const log = createLogger({ name: 'test', level: 'info', destination: { write: (line) => void logs.push(line) } })
  const clock = createTestClock(new Date())
  const closes: (() => unknown)[] = []
  const open = () => openDatabase<AcmeTables>({ url: fresh.url, poolSize: 4, log, ...PATIENT })
  const database = open()
  await database.pool.query(await readFile(new URL('../tables.sql', import.meta.url), 'utf8'))
  const challenges = await startChallengeServer({
    host: '127.0.0.1',
    port: 0,
    database,
    publicUrl: 'https://own.test:8443',
    clock,
    log,
  })

  /** What one process has: its own connections, certificates in use, a TLS server, and a share in ordering. */
  const startProcess = async (authority: Authority, options: Partial<KeeperOptions> & { own: readonly string[] }) => {
    const own: Database<AcmeTables> = open()
    const bus = openBus(own, { log })
    await bus.ready()
    const certificate = await openOrdered({ database: own, bus, secret, names: options.own })
    const contexts = createContexts(certificate)
    const server = createServer({ ...certificate.current(), SNICallback: contexts.SNICallback }, (socket) =>
      socket.on('error', () => undefined).pipe(socket),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const keeper = createKeeper({
      database: own,
      log,
      clock,
      sealer: certificateSealer(secret),
      directory: authority.directory,
      email: null,
      egress: authorityEgress({ directory: authority.directory, isOwnDirectory: true, email: null }, [authority.ca]),
      names: {
        own: options.own,
        missing: async () => [],
        isWanted: async () => false,
        refusal: async () => null,
      },
      answerInDns: null,
      pollMs: 10,
      ...options,
    })
    closes.push(async () => {
      await keeper.stop()
      server.close()
      certificate.close()
      await bus.close()
      await own.close()
    })
    return { keeper, certificate, port: address !== null && typeof address === 'object' ? address.port : 0 }
  }

  return {
    database,
    clock,
    logs,
    challenges,
    startProcess,
    rows: async () => (await database.pool.query('select * from certificate order by name')).rows,
    account: async () => (await database.pool.query('select * from acme_account')).rows[0],
    /** Ends the processes, and forgets what they did. */
    async reset() {
      for (const close of closes.splice(0)) await close()
      await database.pool.query('truncate certificate, acme_account, acme_challenge')
    },
    async close() {
      for (const close of closes.splice(0)) await close()
      await challenges.close()
      await database.close()
      await fresh.drop()
    },
  }
}

/** A client that verifies the certificate of the name. */
export const connectTo = (port: number, options: ConnectionOptions): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, ...options }, () => resolve(socket))
    socket.on('error', reject)
  })

/** Which certificate a new client is served with. */
export const servedSerial = async (port: number, options: ConnectionOptions): Promise<string> => {
  const socket = await connectTo(port, options)
  const serial = socket.getPeerX509Certificate()?.serialNumber
  socket.destroy()
  if (serial === undefined) throw new Error('no certificate was served')
  return serial
}
