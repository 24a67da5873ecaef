import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** A request as it came over the wire: the raw target and the header lines in pairs. */
export type SignedRequest = { method: string; target: string; rawHeaders: readonly string[] }

export type SigV4Rules = {
  secretOf(accessKey: string): string | undefined
  region: string
  service: string
  now: Date
}

export type S3Refusal = { status: number; code: string; message: string }

// https://docs.aws.amazon.com/AmazonS3/latest/API/RESTAuthentication.html: requests older than 15 minutes are refused.
const MAX_SKEW_MS = 15 * 60_000

/** Checks an AWS Signature Version 4 in the Authorization header; null when it is right. */
export const verifySigV4 = (request: SignedRequest, rules: SigV4Rules): S3Refusal | null => {
  const headers = collectHeaders(request.rawHeaders)
  const authorization = headers.get('authorization')
  if (authorization === undefined) return refusal(403, 'AccessDenied', 'the request is not signed')
  const parts = AUTHORIZATION.exec(authorization)
  if (!parts) return refusal(400, 'AuthorizationHeaderMalformed', 'the Authorization header is not SigV4')
  const [, accessKey = '', day = '', region = '', service = '', signedNames = '', signature = ''] = parts

  const date = headers.get('x-amz-date') ?? ''
  const scopeProblem = checkScope({ date, day, region, service }, rules)
  if (scopeProblem) return scopeProblem
  const headerProblem = checkSignedHeaders(signedNames.split(';'), headers)
  if (headerProblem) return headerProblem

  const secret = rules.secretOf(accessKey)
  if (secret === undefined) return refusal(403, 'InvalidAccessKeyId', 'the access key is not known')
  const expected = computeSignature(request, { secret, date, region, service, signedNames: signedNames.split(';') })
  const isSame = signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
  return isSame ? null : refusal(403, 'SignatureDoesNotMatch', 'the signature is not the one computed here')
}

export type SigningScope = {
  secret: string
  date: string
  region: string
  service: string
  signedNames: readonly string[]
}

/** The signature of a request, computed from nothing but the request and the secret. */
export const computeSignature = (request: SignedRequest, scope: SigningScope): string => {
  const day = scope.date.slice(0, 8)
  const credentialScope = `${day}/${scope.region}/${scope.service}/aws4_request`
  const canonical = canonicalRequest(request, scope.signedNames)
  const stringToSign = ['AWS4-HMAC-SHA256', scope.date, credentialScope, sha256(canonical)].join('\n')
  const key = [day, scope.region, scope.service, 'aws4_request'].reduce<string | Buffer>(
    (previous, part) => createHmac('sha256', previous).update(part).digest(),
    `AWS4${scope.secret}`,
  )
  return createHmac('sha256', key).update(stringToSign).digest('hex')
}

const canonicalRequest = ({ method, target, rawHeaders }: SignedRequest, signedNames: readonly string[]): string => {
  const [path = '', query = ''] = target.split('?', 2)
  const headers = collectHeaders(rawHeaders)
  return [
    method,
    // S3 encodes each segment once and normalizes nothing.
    path.split('/').map(reencode).join('/'),
    canonicalQuery(query),
    ...signedNames.map((name) => `${name}:${headers.get(name) ?? ''}`),
    '',
    signedNames.join(';'),
    headers.get('x-amz-content-sha256') ?? '',
  ].join('\n')
}

const canonicalQuery = (query: string): string =>
  query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=')
      return at === -1 ? `${reencode(pair)}=` : `${reencode(pair.slice(0, at))}=${reencode(pair.slice(at + 1))}`
    })
    .sort()
    .join('&')

const reencode = (text: string): string =>
  encodeURIComponent(decodeURIComponent(text)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\/(\d{8})\/([a-z0-9-]+)\/([a-z0-9-]+)\/aws4_request,\s*SignedHeaders=([a-z0-9;-]+),\s*Signature=([0-9a-f]{64})$/

const collectHeaders = (rawHeaders: readonly string[]): Map<string, string> => {
  const headers = new Map<string, string>()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase()
    const value = (rawHeaders[index + 1] ?? '').trim().replace(/ +/g, ' ')
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before},${value}`)
  }
  return headers
}

type Scope = { date: string; day: string; region: string; service: string }

const checkScope = ({ date, day, region, service }: Scope, rules: SigV4Rules): S3Refusal | null => {
  const [, year, month, dayOfMonth, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? []
  if (year === undefined) return refusal(403, 'AccessDenied', 'x-amz-date is missing or malformed')
  if (!date.startsWith(day) || region !== rules.region || service !== rules.service) {
    return refusal(400, 'AuthorizationHeaderMalformed', 'the credential scope does not fit')
  }
  const signedAt = Date.parse(`${year}-${month}-${dayOfMonth}T${hour}:${minute}:${second}Z`)
  return Math.abs(signedAt - rules.now.getTime()) <= MAX_SKEW_MS
    ? null
    : refusal(403, 'RequestTimeTooSkewed', 'the clocks differ too much')
}

// The host and every x-amz-* header that is sent must be signed.
const checkSignedHeaders = (signed: readonly string[], headers: Map<string, string>): S3Refusal | null => {
  const needed = ['host', ...[...headers.keys()].filter((name) => name.startsWith('x-amz-'))]
  const isSorted = signed.every((name, index) => index === 0 || (signed[index - 1] ?? '') < name)
  const isComplete = needed.every((name) => signed.includes(name)) && signed.every((name) => headers.has(name))
  return isSorted && isComplete ? null : refusal(403, 'AccessDenied', 'headers are not signed as they must be')
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const refusal = (status: number, code: string, message: string): S3Refusal => ({ status, code, message })
