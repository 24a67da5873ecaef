import { readFile } from 'node:fs/promises'
import type { Finding } from '../health/health.ts'
import { judgeCertificate } from '../health/machine-checks.ts'
import type { CertificateFiles } from '../tls/files.ts'
import { isEnding } from '../tls/life.ts'
import { type AnyDb, type CertificateState, listCertificates } from './queries.ts'

export type CertificateHealth = {
  /** The one that ends first, if there is any. */
  soonest: { name: string; notAfter: Date } | null
  /** Certificates that have expired or whose renewal is overdue. */
  ending: readonly (CertificateState & { notAfter: Date })[]
}

const MAX_LISTED = 100

/** The state of the ordered certificates. One that was given as a file is not among them: see `validityOf`. */
export const readCertificateHealth = async (db: AnyDb, now: Date): Promise<CertificateHealth> => {
  const issued = (await listCertificates(db, { limit: MAX_LISTED })).flatMap(({ notBefore, notAfter, ...state }) =>
    notBefore && notAfter ? [{ ...state, notBefore, notAfter }] : [],
  )
  const [first] = issued
  return {
    soonest: first ? { name: first.name, notAfter: first.notAfter } : null,
    ending: issued.filter((certificate) => isEnding(certificate, now)),
  }
}

type CertificateSettings = {
  readonly tls: CertificateFiles | null
  readonly acme: unknown
  /** Null: names are proven over HTTP. */
  readonly acmeDns: unknown
  readonly hostname: string
}

/** The certificate that clients of this name get: a file, or one that the service orders. */
export const checkCertificate = async (
  db: AnyDb,
  { tls, acme, acmeDns, hostname }: CertificateSettings,
  now: Date,
): Promise<Finding> => {
  if (tls) return judgeCertificate(await readFile(tls.certFile, 'utf8'), { hostname, now })
  if (acme) return judgeOrdered(await readCertificateHealth(db, now), acmeDns !== null)
  return {
    status: 'warning',
    message: 'The certificate is self-signed, for development only.',
    action: `Set ACME=on, or set TLS_CERT_FILE and TLS_KEY_FILE to a certificate for ${hostname}.`,
  }
}

/** Certificates that the service orders and renews by itself. */
export const judgeOrdered = ({ soonest, ending }: CertificateHealth, isProvenInDns: boolean): Finding => {
  if (soonest === null)
    return {
      status: 'warning',
      message: "The first certificate hasn't been issued yet.",
      action: isProvenInDns
        ? 'Check that ACME_DNS_CREDENTIALS may change records at the DNS provider, and look for "certificate" in the log.'
        : 'Check that port 80 of this server can be reached from the internet, and look for "certificate" in the log.',
    }
  if (ending.length > 0)
    return {
      status: 'error',
      message: `The certificate for ${ending.map(({ name }) => name).join(', ')} wasn't renewed in time.`,
      action: ending[0]?.lastError ?? 'Look for "certificate" in the log.',
      value: ending.length,
    }
  return {
    status: 'ok',
    message: `Certificates are renewed automatically. The first to expire is ${soonest.name}, on ${soonest.notAfter.toISOString().slice(0, 10)}.`,
  }
}
