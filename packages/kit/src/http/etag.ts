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

/**
 * The versions that `If-Match: "v3"` or a list of such names (RFC 9110 §13.1.1): any of them will do, so that none is what
 * validators come to that are not ours, or weak. `'any'` for `*`.
 */
export const versionsOfIfMatch = (ifMatch: string | undefined): readonly number[] | 'any' | undefined => {
  if (ifMatch === undefined) return undefined
  if (ifMatch.trim() === '*') return 'any'
  const named = ifMatch.split(',').map((validator) => /^"v(0|[1-9]\d{0,14})"$/.exec(validator.trim())?.[1])
  return named.filter((version) => version !== undefined).map(Number)
}
