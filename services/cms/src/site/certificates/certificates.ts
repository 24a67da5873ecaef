import { openCertificate } from '@stoa/kit/acme/certificate.ts'
import { answerInDns } from '@stoa/kit/acme/dns-answer.ts'
import { authorityEgress } from '@stoa/kit/acme/egress.ts'
import { createKeeper, type Keeper } from '@stoa/kit/acme/keeper.ts'
import type { CertificateNames } from '@stoa/kit/acme/orders.ts'
import { certificateSealer } from '@stoa/kit/acme/sealing.ts'
import { type OpenWeb, openWeb } from '@stoa/kit/acme/web.ts'
import { isCertifiable } from '@stoa/kit/config/acme.ts'
import { STOP_GRACE_MS } from '@stoa/kit/stop-deadline.ts'
import { isFor } from '@stoa/kit/tls/pair.ts'
import type { Certificate } from '@stoa/kit/tls/source.ts'
import type { Services } from '../../context.ts'

type App = Parameters<typeof openWeb>[0]

export type CmsWeb = Pick<OpenWeb, 'https' | 'challenges'> & {
  /** Before the database is let go of. */
  stopOrdering(): Promise<void>
  close(): Promise<void>
}

/** The CMS over https, with a certificate that it may order itself: what its settings ask for beside plain HTTP. */
export const openCmsWeb = async (app: App, services: Services): Promise<CmsWeb> => {
  const { config, database, bus, log, clock } = services
  const { publicUrl, dataDir, secret, tls } = config
  const { hostname } = new URL(publicUrl)
  const names = isCertifiable(hostname) ? [hostname] : []
  const acme = config.httpsPort === null ? null : config.acme
  const certificate =
    config.httpsPort === null
      ? null
      : await openCertificate({
          files: tls,
          hostname,
          dataDir,
          environment: config.isProduction ? 'production' : 'development',
          log,
          clock,
          ordered: acme && { database, bus, secret, names },
        })
  const challengePort = acme ? config.challengePort : null
  const web = await openWeb(app, { ...services, ...config, certificate, challengePort })
  const keeper = startOrdering(services, acme, namesOf(names, tls && certificate))
  return {
    https: web.https,
    challenges: web.challenges,
    stopOrdering: async () => keeper?.stop(),
    async close() {
      await web.close(STOP_GRACE_MS)
      certificate?.close()
    },
  }
}

const startOrdering = (
  { config, database, log, clock }: Services,
  acme: Services['config']['acme'],
  names: CertificateNames,
): Keeper | null => {
  if (!acme) return null
  const keeper = createKeeper({
    database,
    log,
    clock,
    sealer: certificateSealer(config.secret),
    directory: acme.directory,
    email: acme.email,
    egress: authorityEgress(acme),
    names,
    answerInDns: config.acmeDns && answerInDns(config, config.acmeDns),
  })
  keeper.start()
  return keeper
}

/** Only the site's own name, unless a given certificate is for it. */
const namesOf = (names: readonly string[], given: Certificate | null): CertificateNames => ({
  own: names.filter((name) => !(given && isFor(given.current(), name))),
  missing: async () => [],
  isWanted: async () => false,
  refusal: async () => null,
})
