import { isUtf8 } from 'node:buffer'
import { Fault } from '@stoa/kit/errors.ts'
import { readBody } from '@stoa/kit/http/body.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { leaveUnread } from '@stoa/kit/http/leave-unread.ts'
import { TIMEOUTS } from '@stoa/kit/http/timeouts.ts'
import type { SignIn } from '../addresses/credentials.ts'
import type { Jmap } from './jmap.ts'
import { MAX_SIZE_REQUEST } from './limits.ts'
import { failLimit, failRequest } from './problems.ts'
import { parseRequestText, readRequest, runRequest, TOO_LARGE } from './request.ts'

/** Longer answers keep their place among the requests of the mailbox until they are taken. */
const HELD_CHARACTERS = 256_000

/** The text of a Response object, and what is to be called once a long one is sent. */
export type Served = { text: string; leave: (() => void) | null }

/** One HTTP request with method calls. */
export const serveRequest = async (jmap: Jmap, signIn: SignIn, incoming: Incoming): Promise<Served> => {
  // Before the body is read: those who wait hold no memory.
  const leave = await jmap.requests.enter(signIn.address.id).catch((error: unknown) => {
    leaveUnread(incoming.raw, MAX_SIZE_REQUEST)
    throw error
  })
  try {
    const request = readRequest(parseRequestText(await readText(incoming)))
    const text = await runRequest(jmap, signIn, request)
    if (text.length > HELD_CHARACTERS) return { text, leave }
    leave()
    return { text, leave: null }
  } catch (error) {
    leave()
    throw error
  }
}

const readText = async (incoming: Incoming): Promise<string> => {
  const bytes = await readBytes(incoming)
  if (!/^application\/json\s*(;|$)/i.test(incoming.header('content-type') ?? ''))
    return failRequest('notJSON', 'The request must be sent as application/json.')
  if (bytes.length === 0) return failRequest('notJSON', 'The request is empty.')
  return isUtf8(bytes) ? bytes.toString('utf8') : failRequest('notJSON', 'The request is not UTF-8.')
}

const readBytes = async ({ raw }: Incoming): Promise<Buffer> => {
  try {
    return await readBody(raw, MAX_SIZE_REQUEST, TIMEOUTS.body)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    leaveUnread(raw, MAX_SIZE_REQUEST)
    if (error.kind === 'too_large') return failLimit('maxSizeRequest', TOO_LARGE)
    return failRequest('notJSON', 'The request broke off.')
  }
}
