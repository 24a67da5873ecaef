import { createHash } from 'node:crypto'

/** A strong validator over the exact bytes (RFC 9110 §8.8.3). */
export const strongEtag = (bytes: string | Buffer): string =>
  `"${createHash('sha1').update(bytes).digest('base64url')}"`

/** The validator of a versioned record. */
export const versionEtag = (version: number): string => `"v${version}"`

/** RFC 9110 §13.1.2: true when the client already holds this representation. */
export const isFresh = (ifNoneMatch: string | undefined, etag: string): boolean => {
  if (!ifNoneMatch) return false
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}

/** The version named by `If-Match: "v3"`: a number, `'any'` for `*`, `'other'` for validators that are not ours. */
export const versionOfIfMatch = (ifMatch: string | undefined): number | 'any' | 'other' | undefined => {
  if (ifMatch === undefined) return undefined
  if (ifMatch.trim() === '*') return 'any'
  const match = /^"v(0|[1-9]\d{0,14})"$/.exec(ifMatch.trim())
  return match ? Number(match[1]) : 'other'
}
