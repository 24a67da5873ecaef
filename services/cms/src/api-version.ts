import type { createHttp } from '@stoa/kit/http/server.ts'
import { error } from './errors.ts'

/** Of the API, not of the program: the first number changes with what breaks clients, the second with what is added. */
export const API_VERSION = '1.0'

/** Names the version on every answer and refuses clients that ask for another. */
export const addVersion = (app: ReturnType<typeof createHttp>): void => {
  app.addHook('onRequest', (request, response, done) => {
    response.header('x-cms-version', API_VERSION)
    const asked = request.headers['accept-version']
    if (asked === undefined || supports(String(asked))) return done()
    done(error('UNSUPPORTED_VERSION', { details: { version: API_VERSION } }))
  })
}

/** `1`, `1.0`, `1.x`, with a `v` before it or not: the same first number, and nothing that was added later. */
const supports = (asked: string): boolean => {
  const [, major, minor] = /^v?(\d{1,5})(?:\.(\d{1,5}|x))?$/i.exec(asked.trim()) ?? []
  const [ourMajor, ourMinor] = API_VERSION.split('.').map(Number)
  if (Number(major) !== ourMajor) return false
  return minor === undefined || minor.toLowerCase() === 'x' || Number(minor) <= (ourMinor ?? 0)
}
