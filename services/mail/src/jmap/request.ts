import { Fault } from '@stoa/kit/errors.ts'
import { parseJson } from '@stoa/kit/http/json.ts'
import type { SignIn } from '../addresses/credentials.ts'
import { type Accounts, openAccounts } from './accounts.ts'
import { isCapability, isSupported } from './capabilities.ts'
import type { Jmap } from './jmap.ts'
import { MAX_ANSWER_CHARACTERS, MAX_CALLS_IN_REQUEST, MAX_SIZE_REQUEST, REQUEST_JSON } from './limits.ts'
import { type Args, failMethod, type JmapCall, type JmapMethod, type JmapParts, MethodError } from './method.ts'
import { METHODS } from './methods.ts'
import { failLimit, failRequest } from './problems.ts'
import { type Invocation, resolveReferences } from './references.ts'
import { methodErrorOf } from './refusals.ts'
import { sessionState } from './session.ts'
import { isId, isRecord, isStrings } from './standard/arguments.ts'
import { createSpend } from './work.ts'

/** A Request object (RFC 8620 §3.3). */
export type JmapRequest = {
  using: ReadonlySet<string>
  methodCalls: readonly Invocation[]
  createdIds: Map<string, string> | null
}

/** The JSON of a request; `notJSON` for what is none, or none that everybody reads alike. */
export const parseRequestText = (text: string): unknown => {
  try {
    return parseJson(text, REQUEST_JSON)
  } catch (error) {
    if (error instanceof Fault && error.kind === 'invalid_json' && 'reason' in error.detail)
      return failRequest('notJSON', `${error.detail.reason}.`)
    throw error
  }
}

/** Checks what was sent before any of it is done. */
export const readRequest = (value: unknown): JmapRequest => {
  if (!isRecord(value)) return failRequest('notRequest', 'The request must be a JSON object.')
  const { using, methodCalls, createdIds = null } = value
  if (!isStrings(using)) return failRequest('notRequest', '"using" must be a list of capabilities.')
  if (!Array.isArray(methodCalls)) return failRequest('notRequest', '"methodCalls" must be a list.')
  const calls = methodCalls.map(readInvocation)
  const ids = readCreatedIds(createdIds)
  const unknown = using.find((name) => !isCapability(name))
  if (unknown !== undefined)
    return failRequest('unknownCapability', `The capability "${unknown.slice(0, 200)}" is not known here.`)
  if (calls.length > MAX_CALLS_IN_REQUEST)
    return failLimit('maxCallsInRequest', `A request has at most ${MAX_CALLS_IN_REQUEST} method calls.`)
  return { using: new Set(using), methodCalls: calls, createdIds: ids }
}

const readInvocation = (call: unknown): Invocation => {
  const [name, args, callId, ...more] = Array.isArray(call) ? call : []
  return typeof name === 'string' && isRecord(args) && typeof callId === 'string' && more.length === 0
    ? [name, args, callId]
    : failRequest('notRequest', 'A method call is a list of its name, its arguments and its id.')
}

const readCreatedIds = (createdIds: unknown): Map<string, string> | null => {
  if (createdIds === null) return null
  const entries = isRecord(createdIds) ? Object.entries(createdIds) : []
  const isGood = isRecord(createdIds) && entries.every(([key, id]) => isId(key) && isId(id))
  return isGood
    ? new Map(entries.map(([key, id]) => [key, String(id)]))
    : failRequest('notRequest', '"createdIds" must be an object of ids.')
}

/** Runs the calls one after the other, and gives the text of the Response object; `extra` are further members of it. */
export const runRequest = async (
  jmap: Pick<Jmap, 'parts' | 'accesses'>,
  signIn: SignIn,
  request: JmapRequest,
  extra: Args = {},
): Promise<string> => {
  const run = openRun(jmap, signIn, request)
  for (const call of request.methodCalls) await run.call(call)
  const { createdIds } = request
  const state = sessionState(jmap.parts.config, signIn, await run.accounts.all())
  const rest = JSON.stringify({
    ...(createdIds ? { createdIds: Object.fromEntries(createdIds) } : {}),
    sessionState: state,
    ...extra,
  })
  return `{"methodResponses":[${run.texts.join(',')}],${rest.slice(1)}`
}

const openRun = (
  { parts, accesses }: Pick<Jmap, 'parts' | 'accesses'>,
  signIn: SignIn,
  { using, createdIds }: JmapRequest,
) => {
  const accounts = openAccounts(accesses, signIn)
  const ids = createdIds ?? new Map<string, string>()
  const spend = createSpend()
  const responses: Invocation[] = []
  const texts: string[] = []
  let length = 0

  const add = (invocation: Invocation): void => {
    const text = JSON.stringify(invocation)
    length += text.length
    texts.push(text)
    responses.push(invocation)
  }
  const runMethod = async ([name, args, callId]: Invocation, isImplicit: boolean): Promise<void> => {
    const method = METHODS.get(name)
    if (!method || (!isImplicit && !using.has(method.capability))) return failMethod('unknownMethod')
    if (length > MAX_ANSWER_CHARACTERS) return failMethod('requestTooLarge', 'The answer is too long already.')
    const pending: Invocation[] = []
    const answer = await method.run(
      callOf({ parts, signIn, using, createdIds: ids, spend, accounts, method }, async (next, nextArgs) => {
        pending.push([next, nextArgs, callId])
      }),
      args,
    )
    add([name, answer, callId])
    for (const invocation of pending) await call(invocation, true)
  }
  const call = async ([name, args, callId]: Invocation, isImplicit = false): Promise<void> => {
    try {
      await runMethod([name, resolveReferences(args, responses), callId], isImplicit)
    } catch (error) {
      const { type, more } = methodErrorOf(error) ?? unforeseen(parts, name, error)
      add(['error', { type, ...more }, callId])
    }
  }
  return { call, texts, accounts }
}

type CallParts = Pick<JmapCall, 'parts' | 'signIn' | 'using' | 'createdIds' | 'spend'> & {
  accounts: Accounts
  method: JmapMethod
}

const callOf = ({ accounts, method, ...rest }: CallParts, andThen: JmapCall['andThen']): JmapCall => ({
  ...rest,
  opened: { key: null, message: null },
  andThen,
  findAccount: accounts.find,
  async account(args, wants) {
    const access = await accounts.named(args)
    if (!isSupported(method.capability, access))
      return failMethod('accountNotSupportedByMethod', 'This works with the own account only.')
    return accounts.named(args, wants)
  },
})

/** Logged, because nobody foresaw it; the client learns no more than that it happened. */
const unforeseen = ({ log }: JmapParts, method: string, error: unknown): MethodError => {
  log.error({ err: error, method }, 'a JMAP method failed')
  return new MethodError('serverFail', 'Something went wrong on our side.')
}

export const TOO_LARGE = `A request has at most ${MAX_SIZE_REQUEST} bytes.`
