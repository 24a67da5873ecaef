import { fault } from '../errors.ts'
import type { Incoming } from './incoming.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses a write that a foreign page made the browser send. `requireProof` also refuses requests in which the browser
 * said nothing about its origin, so that a cookie works from the service's own pages only.
 */
export const refuseForeignWrite = (request: Incoming, rule: { publicOrigin: string; requireProof: boolean }): void => {
  if (SAFE_METHODS.has(request.method)) return
  const site = request.header('sec-fetch-site')
  const origin = request.header('origin')
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw fault('csrf', { reason: 'foreign site' })
    // `none` is a person's own doing, such as a typed address: no page asked for it, ours neither.
    if (site === 'none' && rule.requireProof) throw fault('csrf', { reason: 'no origin' })
    return
  }
  if (origin !== undefined) {
    if (origin !== rule.publicOrigin) throw fault('csrf', { reason: 'foreign origin' })
    return
  }
  if (rule.requireProof) throw fault('csrf', { reason: 'no origin' })
}

/** A cookie counts only from the service's own pages, also for reads. */
export const isForeignRead = (request: Incoming, publicOrigin: string): boolean => {
  const site = request.header('sec-fetch-site')
  if (site !== undefined) return site === 'cross-site' || site === 'same-site'
  const origin = request.header('origin')
  return origin !== undefined && origin !== publicOrigin
}
