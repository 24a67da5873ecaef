import { openCertificate } from '@stoa/kit/acme/certificate.ts'
import { answerInDns } from '@stoa/kit/acme/dns-answer.ts'
import { authorityEgress } from '@stoa/kit/acme/egress.ts'
import { createKeeper, type Keeper } from '@stoa/kit/acme/keeper.ts'
import { certificateSealer } from '@stoa/kit/acme/sealing.ts'
import type { Clock } from '@stoa/kit/clock.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import type { Log } from '@stoa/kit/log.ts'
import { readGiven } from '@stoa/kit/tls/files.ts'
import type { Certificate } from '@stoa/kit/tls/source.ts'
import { type Config, needsCertificate } from '../../config.ts'
import type { Tables } from '../../tables.ts'
import { mailCertificateNames, ownNames } from './names.ts'

export type CertificateParts = { config: Config; database: Database<Tables>; bus: Bus; log: Log; clock: Clock }

/** The certificates that this process serves with; null when it serves no TLS. */
export const openMailCertificate = async (parts: CertificateParts): Promise<Certificate | null> => {
  const { config, database, bus, log, clock } = parts
  if (!needsCertificate(config)) return null
  const { hostname, dataDir, environment, secret, tls } = config
  const ordered = config.acme && { database, bus, secret, names: ownNames(config) }
  return openCertificate({ files: tls, hostname, dataDir, environment, log, clock, ordered })
}

/** Takes part in ordering certificates; null when this process orders none. */
export const startCertificates = async (parts: CertificateParts): Promise<Keeper | null> => {
  const { config, database, log, clock } = parts
  const { acme, acmeDns, tls } = config
  if (!acme || !config.roles.has('worker')) return null
  // Read here: a process that orders may serve no TLS itself.
  const given = tls && (await readGiven(tls))
  const keeper = createKeeper({
    database,
    log,
    clock,
    sealer: certificateSealer(config.secret),
    directory: acme.directory,
    email: acme.email,
    egress: authorityEgress(acme),
    names: mailCertificateNames({ ...parts, given }),
    answerInDns: acmeDns && answerInDns(config, acmeDns),
  })
  keeper.start()
  return keeper
}
