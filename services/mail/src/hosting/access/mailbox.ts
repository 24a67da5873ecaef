import { isUtf8 } from 'node:buffer'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { MAX_PASSWORD_BYTES } from '@stoa/mail-model/password.ts'
import { error, fail } from '../../errors.ts'
import type { SignIn } from '../../principal.ts'
import type { CredentialAnswer, Credentials } from '../addresses/addresses.ts'
import { SIGN_IN_RATE } from '../sign-in-limit/sign-in-limit.ts'

/** A mailbox that the Authorization header opened. */
export type HeaderSignIn = { via: 'basic' | 'bearer'; signIn: SignIn }

/** RFC 7617 §2.1: names and passwords are UTF-8. */
const CHALLENGE = 'Basic realm="Stoa mail", charset="UTF-8"'
const BASIC = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i

/** Checks `Basic` (address with mailbox or app password) or `Bearer` (app password); null when neither is tried. */
export const readHeaderSignIn = async (request: Incoming, credentials: Credentials): Promise<HeaderSignIn | null> => {
  const header = request.header('authorization')
  if (header === undefined) return null
  const { ip } = request
  const token = BEARER.exec(header)?.[1]
  if (token !== undefined)
    return { via: 'bearer', signIn: accepted(await credentials.checkToken({ token, scope: 'jmap', ip }), request) }
  const given = readBasic(header) ?? failMailbox(request, WRONG)
  return { via: 'basic', signIn: accepted(await credentials.check({ ...given, scope: 'jmap', ip }), request) }
}

/** 401 with what may be tried. The request of a page gets no challenge: the browser would put its own dialog before it. */
export const failMailbox = (request: Incoming, message?: string): never =>
  fail('unauthorized', {
    ...(message !== undefined && { message }),
    ...(request.header('sec-fetch-mode') === undefined && { headers: { 'www-authenticate': CHALLENGE } }),
  })

/** Past the limit of wrong passwords, for right ones too. */
export const limitedError = (retryAfterSeconds: number) => {
  const seconds = String(retryAfterSeconds)
  const headers = {
    'ratelimit-limit': String(SIGN_IN_RATE.limit),
    'ratelimit-remaining': '0',
    'ratelimit-reset': seconds,
  }
  return error('rate_limit_exceeded', {
    message: 'Too many wrong passwords. Try again later.',
    headers: { ...headers, 'retry-after': seconds },
  })
}

const WRONG = 'Wrong address or password.'

const accepted = (answer: CredentialAnswer, request: Incoming): SignIn => {
  if (answer.ok) {
    const { address, scope, appPasswordId, passwordStamp } = answer
    return { address, scope, appPasswordId, passwordStamp }
  }
  if (answer.reason === 'limited') throw limitedError(answer.retryAfterSeconds)
  return failMailbox(request, WRONG)
}

/** RFC 7617 §2: what stands before the first colon is the name. */
const readBasic = (header: string): { email: string; password: string } | null => {
  const encoded = BASIC.exec(header)?.[1]
  if (encoded === undefined) return null
  const bytes = Buffer.from(encoded, 'base64')
  const text = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
  const colon = text.indexOf(':')
  const password = text.slice(colon + 1)
  if (colon < 1 || Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return null
  return { email: text.slice(0, colon), password }
}
