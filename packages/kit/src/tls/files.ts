import { readFile } from 'node:fs/promises'
import { type Clock, systemClock } from '../clock.ts'
import type { Log } from '../log.ts'
import { isEnding } from './life.ts'
import { type CertificatePair, problemOf, validityOf } from './pair.ts'
import type { Certificate } from './source.ts'

export type CertificateFiles = { readonly certFile: string; readonly keyFile: string }

export type FileOptions = {
  files: CertificateFiles
  log: Log
  clock?: Clock
  /** How often the files are looked at. */
  pollMs?: number
}

/** Renewals replace links and folders as often as files, which no notification of the system covers: we look. */
const POLL_MS = 10_000
const WARN_EVERY_MS = 86_400_000

/**
 * Opens a given certificate and follows its files. A pair that does not fit together, as in the middle of a renewal, is
 * left alone and reported in the log; at the start it is an error.
 */
export const openCertificateFiles = async (options: FileOptions): Promise<Certificate> => {
  const { files, log, clock = systemClock, pollMs = POLL_MS } = options
  const read = () => readFiles(files)
  let pair = await readGiven(files)
  const listeners = new Set<() => void>()
  let reported = ''
  let warnedAt = 0

  const warnOfEnd = (): void => {
    const { from, to } = validityOf(pair)
    const now = clock.now()
    if (!isEnding({ notBefore: from, notAfter: to }, now) || now.getTime() - warnedAt < WARN_EVERY_MS) return
    warnedAt = now.getTime()
    log.error({ file: files.certFile, notAfter: to }, 'a certificate expires soon and has not been renewed')
  }
  const look = async (): Promise<void> => {
    warnOfEnd()
    const next = await read()
    if (next.key === pair.key && next.cert === pair.cert) return
    const reason = problemOf(next)
    if (reason) return report(reason)
    pair = next
    reported = ''
    log.info({ file: files.certFile, validTo: validityOf(next).to }, 'the certificate was replaced')
    for (const listener of [...listeners]) listener()
  }
  const report = (reason: string): void => {
    if (reason !== reported)
      log.warn({ file: files.certFile, reason }, 'the new certificate cannot be used; the old one stays')
    reported = reason
  }

  const timer = setInterval(() => {
    look().catch((error: unknown) => report(error instanceof Error ? error.message : String(error)))
  }, pollMs)
  timer.unref()
  return {
    current: () => pair,
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => {
      clearInterval(timer)
      listeners.clear()
    },
  }
}

/** Reads a given certificate once. */
export const readGiven = async (files: CertificateFiles): Promise<CertificatePair> => {
  const pair = await readFiles(files)
  const problem = problemOf(pair)
  if (problem) throw new Error(`the certificate in ${files.certFile} cannot be used: ${problem}`)
  return pair
}

const readFiles = async ({ certFile, keyFile }: CertificateFiles): Promise<CertificatePair> => {
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')])
  return { key, cert }
}
