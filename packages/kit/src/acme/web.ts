import type { FastifyInstance } from 'fastify'
import { type HttpsOptions, listenHttps } from '../tls/https.ts'
import { type ChallengeServerOptions, startChallengeServer } from './challenge-server.ts'

export type WebOptions = Omit<ChallengeServerOptions, 'port'> & {
  certificate: HttpsOptions['certificate'] | null
  /** Null: closed. */
  httpsPort: number | null
  challengePort: number | null
}

/** The further ports of a web server. `close` ends together with it. */
export type OpenWeb = {
  readonly https: number | null
  readonly challenges: number | null
  close(ms: number): Promise<void>
}

/** Serves over https, and answers the certificate authority over HTTP, where the settings ask for it. */
export const openWeb = async (app: FastifyInstance, options: WebOptions): Promise<OpenWeb> => {
  const { certificate, httpsPort, challengePort } = options
  const challenges = challengePort === null ? null : await startChallengeServer({ ...options, port: challengePort })
  const https =
    httpsPort === null || certificate === null
      ? null
      : await listenHttps(app, { ...options, certificate, port: httpsPort })
  return {
    https: https?.port ?? null,
    challenges: challenges?.port ?? null,
    close: async (ms) => void (await Promise.all([https?.close(ms), challenges?.close()])),
  }
}
