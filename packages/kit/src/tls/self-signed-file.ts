import { X509Certificate } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSelfSigned } from '../crypto/self-signed.ts'
import { newId } from '../ids.ts'
import type { CertificatePair } from './pair.ts'

const DAY_MS = 86_400_000
const VALID_DAYS = 365
/** A new one is made this long before the old one ends. */
const RENEW_DAYS = 30

/**
 * The self-signed certificate of a development instance, kept in its data folder, so that a client configured to trust
 * it continues to do so.
 */
export const keepSelfSigned = async (dataDir: string, hostname: string, now: Date): Promise<CertificatePair> => {
  const folder = join(dataDir, 'tls')
  const file = join(folder, 'self-signed.pem')
  const kept = await readPair(file)
  if (kept && isGoodFor(kept, hostname, now)) return kept
  const made = createSelfSigned([hostname, 'localhost', '127.0.0.1'], {
    from: new Date(now.getTime() - DAY_MS),
    to: new Date(now.getTime() + VALID_DAYS * DAY_MS),
  })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.${newId()}`
  await writeFile(draft, `${made.key}${made.cert}`, { mode: 0o600 })
  if (await linkOnce(draft, file)) return made
  // Another process may have made one at the same moment: all of them use the first.
  const first = await readPair(file)
  if (first && isGoodFor(first, hostname, now)) {
    await rm(draft)
    return first
  }
  await rename(draft, file)
  return made
}

const linkOnce = async (draft: string, file: string): Promise<boolean> => {
  try {
    await link(draft, file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
  await rm(draft)
  return true
}

const readPair = async (file: string): Promise<CertificatePair | null> => {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  })
  const key = block(text, 'PRIVATE KEY')
  const cert = block(text, 'CERTIFICATE')
  return key && cert ? { key, cert } : null
}

const block = (text: string, label: string): string | undefined =>
  new RegExp(`-----BEGIN ${label}-----[^-]+-----END ${label}-----\n`).exec(text)?.[0]

const isGoodFor = ({ cert }: CertificatePair, hostname: string, now: Date): boolean => {
  const parsed = new X509Certificate(cert)
  const isFresh = Date.parse(parsed.validTo) > now.getTime() + RENEW_DAYS * DAY_MS
  return isFresh && parsed.checkHost(hostname) !== undefined
}
