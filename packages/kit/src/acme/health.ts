import { isEnding } from '../tls/life.ts'
import { type AnyDb, type CertificateState, listCertificates } from './queries.ts'

export type CertificateHealth = {
  /** The one that ends first, if there is any. */
  soonest: { name: string; notAfter: Date } | null
  /** Those whose renewal is overdue, or that have ended. */
  ending: readonly (CertificateState & { notAfter: Date })[]
}

const MAX_LISTED = 100

/** How the ordered certificates stand. One that was given as a file is not among them: `validityOf` tells its end. */
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
