import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Clock } from '@stoa/kit/clock.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { CertificateSource } from '@stoa/kit/tls/source.ts'
import type { Config } from './config.ts'
import { startImap } from './doors/imap/server.ts'
import { startManageSieve } from './doors/managesieve/server.ts'
import { startPop3 } from './doors/pop3/server.ts'
import { startSubmission } from './doors/submit/submit.ts'
import type { Credentials } from './hosting/addresses/credentials.ts'
import type { LiveSignIns } from './hosting/addresses/live.ts'
import { type ReceiveParts, type ServiceHooks, startMx } from './receiving/receive/receive.ts'
import type { Tables } from './tables.ts'
import type { DoorServer } from './wire/listen/listen.ts'

export type DoorParts = {
  config: Config
  database: Database<Tables>
  blobs: Blobs
  bus: Bus
  log: Log
  clock: Clock
  receiving: ReceiveParts
  credentials: Credentials
  live: LiveSignIns
  hooks: ServiceHooks
  /** Null: none is needed, because nothing is open. */
  certificate: CertificateSource | null
}

/** Where the process listens: what it is for, and the port. */
export type OpenDoors = { doors: [label: string, port: number][]; stop(): Promise<void> }

/** Opens the ports that the process's roles and settings ask for, all with the same certificates. */
export const openDoors = async (parts: DoorParts): Promise<OpenDoors> => {
  const { config, certificate } = parts
  const wanted = doorsOf(parts).filter(({ role, port }) => config.roles.has(role) && port !== 0)
  const doors: [string, number][] = []
  const running: DoorServer[] = []
  for (const { label, port, isImplicit = false, start } of wanted) {
    const server = await start({ port, config, certificate, isImplicit })
    running.push(server)
    doors.push([label, server.port])
  }
  return {
    doors,
    async stop() {
      await Promise.all(running.map((server) => server.stop()))
    },
  }
}

type Listen = { port: number; config: Config; certificate: CertificateSource | null; isImplicit: boolean }
type WantedDoor = {
  role: 'smtp' | 'imap'
  label: string
  port: number
  isImplicit?: true
  start: (listen: Listen) => Promise<DoorServer>
}

const doorsOf = (parts: DoorParts): WantedDoor[] => {
  const { config, receiving, credentials, hooks } = parts
  const mx = (listen: Listen) => startMx(receiving, listen, { hooks })
  const submission = (listen: Listen) => startSubmission({ ...receiving, credentials }, listen)
  const imap = (listen: Listen) => startImap(parts, listen)
  const pop3 = (listen: Listen) => startPop3(parts, listen)
  const sieve = (listen: Listen) => startManageSieve(parts, listen)
  return [
    { role: 'smtp', label: 'Mail from outside', port: config.smtpPort, start: mx },
    { role: 'smtp', label: 'Submission', port: config.submissionPort, start: submission },
    { role: 'smtp', label: 'Submission, TLS', port: config.submissionsPort, isImplicit: true, start: submission },
    { role: 'imap', label: 'IMAP', port: config.imapPort, start: imap },
    { role: 'imap', label: 'IMAP, TLS', port: config.imapsPort, isImplicit: true, start: imap },
    { role: 'imap', label: 'POP3', port: config.pop3Port, start: pop3 },
    { role: 'imap', label: 'POP3, TLS', port: config.pop3sPort, isImplicit: true, start: pop3 },
    { role: 'imap', label: 'ManageSieve', port: config.manageSievePort, start: sieve },
  ]
}
