import { createSelfSigned } from '../crypto/self-signed.ts'
import type { Bus } from '../events/bus.ts'
import { createReload } from '../reload.ts'
import type { Secret } from '../secret.ts'
import type { CertificatePair } from '../tls/pair.ts'
import type { Certificate } from '../tls/source.ts'
import { type AnyDb, CERTIFICATES, findIssued, listIssuedNames } from './queries.ts'
import { certificateSealer } from './sealing.ts'

export type OrderedOptions = {
  database: { readonly db: AnyDb }
  bus: Pick<Bus, 'subscribe'>
  secret: Secret
  /** The operator's own names. A client that asks for none gets the first of them that has a certificate. */
  names: readonly string[]
}

/** Certificates with their keys that are kept in memory; the others are read when somebody asks for them. */
const MAX_KEPT = 1_000
const DAY_MS = 86_400_000

/** The certificates that were ordered, by whichever process: a new one is in use everywhere as soon as it is stored. */
export const openOrdered = async (options: OrderedOptions): Promise<Certificate> => {
  const { database, bus, names } = options
  const sealer = certificateSealer(options.secret)
  const listeners = new Set<() => void>()
  const kept = new Map<string, CertificatePair>()
  // In use until the first certificate arrives, so that mail can be received encrypted.
  const standIn = createSelfSigned([names[0] ?? 'localhost'], {
    from: new Date(Date.now() - DAY_MS),
    to: new Date(Date.now() + 365 * DAY_MS),
  })
  let issued: ReadonlySet<string> = new Set()
  let current: CertificatePair = standIn
  let changes = 0

  const read = async (name: string): Promise<CertificatePair | null> => {
    const row = await findIssued(database.db, name)
    return row ? { key: sealer.open(row.sealed_key, name).reveal(), cert: row.chain } : null
  }
  const load = createReload(async () => {
    issued = new Set(await listIssuedNames(database.db))
    const first = names.find((name) => issued.has(name))
    const next = (first === undefined ? null : await read(first)) ?? standIn
    if (next.cert === current.cert) return
    current = next
    for (const listener of [...listeners]) listener()
  })
  const reload = (name?: string): Promise<void> => {
    changes += 1
    if (name === undefined) kept.clear()
    else kept.delete(name)
    return load()
  }
  const leave = bus.subscribe(
    ({ topic, data }) =>
      topic === CERTIFICATES ? reload(typeof data.name === 'string' ? data.name : undefined) : undefined,
    () => reload(),
  )
  await load()

  return {
    current: () => current,
    async named(servername) {
      if (!issued.has(servername)) return null
      const found = kept.get(servername)
      if (found) return found
      const before = changes
      const pair = await read(servername)
      if (pair === null || before !== changes) return pair
      const [oldest] = kept.keys()
      if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest)
      kept.set(servername, pair)
      return pair
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close() {
      leave()
      listeners.clear()
    },
  }
}
