import type { Session, SignupStatus, User } from '@stoa/mail-model/accounts.ts'
import type { ErrorName } from '@stoa/mail-model/errors.ts'
import type { List } from '@stoa/mail-model/list.ts'
import { createSend, type ReadRefusal, RequestError, type Send, sentence } from '@stoa/ui/request/request.ts'

/** The largest page of a list. */
export const ALL = 'per_page=100'

/** Everything the panel asks of the service, with the cookie as its credential. */
export const api = {
  signups: (signal?: AbortSignal) => send<SignupStatus>('GET', '/api/auth/signups', { signal }),
  signUp: (body: { email: string; password: string; name: string; referral_code?: string }) =>
    send<User>('POST', '/api/auth/signup', { body }),
  signIn: (body: { email: string; password: string; totp_code?: string }) =>
    send<User>('POST', '/api/auth/login', { body }),
  me: (signal?: AbortSignal) => send<User>('GET', '/api/auth/me', { signal }),
  signOut: () => send<unknown>('POST', '/api/auth/logout'),
  sessions: (signal?: AbortSignal) => sendSignedIn<List<Session>>('GET', `/api/account/sessions?${ALL}`, { signal }),
}

/** Whether the service said this. */
export const hasName = (error: unknown, name: ErrorName): boolean =>
  error instanceof RequestError && error.code === name

export const isSignedOut = (error: unknown): boolean => error instanceof RequestError && error.status === 401

/** Called when a request shows that the session has ended. */
export const onSignedOut = (listener: () => void): void => {
  notifySignedOut = listener
}

let notifySignedOut = (): void => undefined

/** `{ statusCode, name, message }`; the message names the member it is about in backticks. */
export const readRefusal: ReadRefusal = (body) => {
  if (!isRecord(body) || typeof body.name !== 'string' || typeof body.message !== 'string') return undefined
  return { message: plain(body.message), code: body.name, fields: fieldsIn(body.message) }
}

// "Invalid `email` field: must be an e-mail address." may come several times in one message
const INVALID = /Invalid `([\w.]+)` field: (.+?)\.(?= Invalid `|$)/g

const fieldsIn = (message: string): { key: string; message: string }[] => {
  const invalid = [...message.matchAll(INVALID)].map(([, key = '', problem = '']) => ({
    key,
    message: sentence(problem),
  }))
  if (invalid.length > 0) return invalid
  const named = /`([\w.]+)`/.exec(message)?.[1]
  return named === undefined ? [] : [{ key: named, message: plain(message) }]
}

const plain = (message: string): string => sentence(message.replaceAll('`', ''))

/** Asks the service; nobody need be signed in. */
export const send: Send = createSend(readRefusal)

/** Asks the service as the signed-in person; an ended session leads to the sign-in. */
export const sendSignedIn: Send = async (method, path, options) => {
  try {
    return await send(method, path, options)
  } catch (error) {
    if (isSignedOut(error)) notifySignedOut()
    throw error
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
