import type {
  ChangePasswordInput,
  LoginInput,
  Me,
  ResetInput,
  Session,
  SetupInput,
  SignedIn,
  SiteStatus,
} from '@stoa/cms-model/accounts.ts'
import type { ErrorCode } from '@stoa/cms-model/error-codes.ts'
import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import type { AcceptInvitationInput, OpenedInvitation } from '@stoa/cms-model/invitations.ts'
import type { List } from '@stoa/cms-model/lists.ts'
import type { PresenceFieldInput, RealtimeTicket } from '@stoa/cms-model/realtime.ts'
import { hasUnsavedChanges } from '@stoa/ui/navigation/leave-guard.ts'
import { createSend, type ReadRefusal, RequestError, type Send, sentence } from '@stoa/ui/request/request.ts'
import { notePosition } from './realtime/position.ts'

/** Everything the admin asks of the service. It signs in with the cookie, so that no script ever holds a token. */
export const api = {
  status: (signal?: AbortSignal) => send<SiteStatus>('GET', '/api/auth/status', { signal }),
  claim: (body: SetupInput) => send<SignedIn>('POST', '/api/auth/setup', { body }),
  signIn: (body: LoginInput) => send<SignedIn>('POST', '/api/auth/login', { body }),
  forgot: (email: string) => send<{ accepted: true }>('POST', '/api/auth/forgot', { body: { email } }),
  reset: (body: ResetInput) => send<undefined>('POST', '/api/auth/reset', { body }),
  openInvitation: (token: string, signal?: AbortSignal) =>
    send<OpenedInvitation>('POST', '/api/auth/invitation', { body: { token }, signal }),
  acceptInvitation: (body: AcceptInvitationInput) => send<SignedIn>('POST', '/api/auth/invitation/accept', { body }),
  me: (signal?: AbortSignal) => send<Me>('GET', '/api/auth/me', { signal }),
  signOut: () => send<undefined>('POST', '/api/auth/logout'),
  realtimeTicket: () => send<RealtimeTicket>('POST', '/api/realtime/ticket'),
  /** Runs in the background: the next save notices an ended session anyway. */
  setPresenceField: (entryId: string, body: PresenceFieldInput) =>
    send<undefined>('POST', `/api/entries/${encodeURIComponent(entryId)}/presence`, { body }),
  changePassword: (body: ChangePasswordInput) => sendSignedIn<Me>('POST', '/api/auth/password', { body }),
  sessions: (signal?: AbortSignal) => sendSignedIn<List<Session>>('GET', `/api/auth/sessions?${ALL}`, { signal }),
  endSession: (id: string) => sendSignedIn<undefined>('DELETE', `/api/auth/sessions/${encodeURIComponent(id)}`),
  endOtherSessions: () => sendSignedIn<undefined>('DELETE', '/api/auth/sessions'),
}

/** For a write that is meant for this version only, or for whatever is there. */
export const ifMatch = (version: number | 'any'): { 'if-match': string } => ({
  'if-match': version === 'any' ? '*' : `"v${version}"`,
})

/** The largest page of a list. */
export const ALL = 'limit=100'

/** The author of the newer version after a version conflict; undefined for any other error. */
export const readConflict = (error: unknown): { by: string | undefined } | undefined => {
  if (!(error instanceof RequestError) || error.code !== 'VERSION_CONFLICT') return undefined
  const details = isRecord(error.body) && isRecord(error.body.details) ? error.body.details : {}
  const by = isRecord(details.updatedBy) ? details.updatedBy.name : undefined
  return { by: typeof by === 'string' ? by : undefined }
}

/** Whether the service said this. */
export const hasCode = (error: unknown, code: ErrorCode): boolean =>
  error instanceof RequestError && error.code === code

/** A wrong second factor is refused with 401, too; the session goes on. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof RequestError && error.status === 401 && error.code !== 'TOTP_INVALID'

/** Called when a request shows that the session has ended. */
export const onSignedOut = (listener: () => void): void => {
  notifySignedOut = listener
}

let notifySignedOut = (): void => undefined

/** A screen with work that is not saved asks for the password by itself; until the returned function is called, nobody is led away from it. */
export const holdSignedOut = (listener: () => void): (() => void) => {
  held = listener
  return () => {
    if (held === listener) held = undefined
  }
}

let held: (() => void) | undefined

/** `{ error, code, details: { fields } }`, member by member: a proxy may send anything. */
export const readRefusal: ReadRefusal = (body) => {
  if (!isRecord(body) || typeof body.error !== 'string' || typeof body.code !== 'string') return undefined
  const fields = isRecord(body.details) && Array.isArray(body.details.fields) ? body.details.fields : []
  return {
    message: sentence(body.error),
    code: body.code,
    fields: fields.filter(isFieldProblem).map(({ key, message }) => ({ key, message: sentence(message) })),
  }
}

const send: Send = createSend(readRefusal, notePosition)

/** Asks the service as the signed-in person; an ended session leads to the sign-in. */
export const sendSignedIn: Send = async (method, path, options) => {
  try {
    return await send(method, path, options)
  } catch (error) {
    if (isSignedOut(error)) (held ?? (isBackgroundRead(method) ? keepOn : notifySignedOut))()
    throw error
  }
}

/** A read that nobody waits for leads nobody away from what they typed: their next save does. */
const isBackgroundRead = (method: string): boolean => method === 'GET' && hasUnsavedChanges()
const keepOn = (): void => undefined

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isFieldProblem = (value: unknown): value is FieldProblem =>
  isRecord(value) && typeof value.key === 'string' && typeof value.message === 'string'
