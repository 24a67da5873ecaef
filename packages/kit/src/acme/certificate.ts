import { type Clock, systemClock } from '../clock.ts'
import type { Environment } from '../config.ts'
import type { Log } from '../log.ts'
import { type CertificateFiles, openCertificateFiles } from '../tls/files.ts'
import { type CertificatePair, isFor } from '../tls/pair.ts'
import { keepSelfSigned } from '../tls/self-signed-file.ts'
import type { Certificate } from '../tls/source.ts'
import { type OrderedOptions, openOrdered } from './ordered.ts'

export type CertificateOptions = {
  log: Log
  /** Where the operator's own certificate is. Null in development: a self-signed one is made. */
  files: CertificateFiles | null
  hostname: string
  dataDir: string
  environment: Environment
  clock?: Clock
  /** How often the files are looked at. */
  pollMs?: number
  /** Null: the service orders none. */
  ordered?: OrderedOptions | null
}

/** The certificates of a process: a given one, those that were ordered, or a self-signed one. A given one wins. */
export const openCertificate = async (options: CertificateOptions): Promise<Certificate> => {
  const { files, ordered } = options
  const given = files && (await openCertificateFiles({ ...options, files }))
  const own = ordered ? await openOrdered(ordered) : null
  if (given && own) return both(given, own)
  return given ?? own ?? fixed(await developmentPair(options))
}

/** The given one for the names that it is for, the ordered ones for all others. */
const both = (given: Certificate, ordered: Certificate): Certificate => ({
  current: given.current,
  named: async (servername) => (isFor(given.current(), servername) ? null : (ordered.named?.(servername) ?? null)),
  onChange: given.onChange,
  close() {
    given.close()
    ordered.close()
  },
})

const developmentPair = ({ environment, dataDir, hostname, clock = systemClock }: CertificateOptions) => {
  if (environment === 'production')
    throw new Error('production needs a certificate: set TLS_CERT_FILE and TLS_KEY_FILE, or ACME=on')
  return keepSelfSigned(dataDir, hostname, clock.now())
}

const fixed = (pair: CertificatePair): Certificate => ({
  current: () => pair,
  onChange: () => () => undefined,
  close: () => undefined,
})
