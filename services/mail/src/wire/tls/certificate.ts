import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { type Clock, systemClock } from '@stoa/kit/clock.ts'
import type { Environment } from '@stoa/kit/config.ts'
import type { Log } from '@stoa/kit/log.ts'
import { keepSelfSigned } from './self-signed-file.ts'

/** A private key and its certificate chain, as PEM. */
export type CertificatePair = { readonly key: string; readonly cert: string }

/** The certificate in use. Another one may take its place at any time. */
export type Certificate = {
  current(): CertificatePair
  /** Called after each change; gives what ends the calls. */
  onChange(listener: () => void): () => void
  close(): void
}

export type CertificateOptions = {
  /** Null in development: a self-signed one is made. */
  files: { certFile: string; keyFile: string } | null
  hostname: string
  dataDir: string
  environment: Environment
  log: Log
  clock?: Clock
  /** How often the files are looked at. */
  pollMs?: number
}

/** Renewals replace links and folders as often as files, which no notification of the system covers: we look. */
const POLL_MS = 10_000

/**
 * Opens the certificate and follows its files. A pair that does not fit together, as in the middle of a renewal, is
 * left alone and reported in the log; at the start it is an error.
 */
export const openCertificate = async (options: CertificateOptions): Promise<Certificate> => {
  const { files, log, clock = systemClock, pollMs = POLL_MS } = options
  if (files === null) return fixed(await developmentPair(options, clock))
  const read = () => readFiles(files)
  let pair = await read()
  const problem = problemOf(pair)
  if (problem) throw new Error(`the certificate in ${files.certFile} cannot be used: ${problem}`)
  const listeners = new Set<() => void>()
  let reported = ''

  const look = async (): Promise<void> => {
    const next = await read()
    if (next.key === pair.key && next.cert === pair.cert) return
    const reason = problemOf(next)
    if (reason) return report(reason)
    pair = next
    reported = ''
    log.info({ file: files.certFile, validTo: validTo(next) }, 'the certificate was replaced')
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

const developmentPair = ({ environment, dataDir, hostname }: CertificateOptions, clock: Clock) => {
  if (environment === 'production')
    throw new Error('production needs a certificate: set TLS_CERT_FILE and TLS_KEY_FILE')
  return keepSelfSigned(dataDir, hostname, clock.now())
}

const fixed = (pair: CertificatePair): Certificate => ({
  current: () => pair,
  onChange: () => () => undefined,
  close: () => undefined,
})

const readFiles = async ({ certFile, keyFile }: { certFile: string; keyFile: string }): Promise<CertificatePair> => {
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')])
  return { key, cert }
}

/** Why clients could not be served with it, or null. */
const problemOf = (pair: CertificatePair): string | null => {
  try {
    createSecureContext(pair)
    // An empty file is no certificate to look at, and would be taken for none at all.
    return new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key)) ? null : 'the key is another one'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const validTo = ({ cert }: CertificatePair): string => new X509Certificate(cert).validTo
