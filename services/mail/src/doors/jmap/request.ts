import { Fault } from '@stoa/kit/errors.ts'
import { parseJson } from '@stoa/kit/http/json.ts'
import type { SignIn } from '../../principal.ts'
import { turns } from '../fairness/fairness.ts'
import { type Accounts, openAccounts } from './accounts.ts'
import { type Budget, createBudget, TooMuchWork } from './budget.ts'
import { isCapability, isSupported } from './capabilities.ts'
import type { Jmap } from './jmap.ts'
import { writeInvocation } from './json.ts'
import { MAX_CALLS_IN_REQUEST, MAX_SIZE_REQUEST, REQUEST_JSON } from './limits.ts'
import { type Args, failMethod, type JmapCall, type JmapMethod, type JmapParts, MethodError } from './method.ts'
import { METHODS } from './methods.ts'
import { failLimit, failRequest } from './problems.ts'
import { type Invocation, openReferences } from './references.ts'
import { methodErrorOf } from './refusals.ts'
import { sessionState } from './session.ts'
import { isId, isRecord, isStrings } from './standard/arguments.ts'

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
    return failRequest('unknownCapability', `The capability "${unknown.slice(0, 200)}" is not supported.`)
  if (calls.length > MAX_CALLS_IN_REQUEST)
    return failLimit('maxCallsInRequest', `A request can have up to ${MAX_CALLS_IN_REQUEST} method calls.`)
  return { using: new Set(using), methodCalls: calls, createdIds: ids }
}

const readInvocation = (call: unknown): Invocation => {
  const [name, args, callId, ...more] = Array.isArray(call) ? call : []
  return typeof name === 'string' && isRecord(args) && typeof callId === 'string' && more.length === 0
    ? [name, args, callId]
    : failRequest('notRequest', 'A method call must be a list of its name, arguments and id.')
}

const readCreatedIds = (createdIds: unknown): Map<string, string> | null => {
  if (createdIds === null) return null
  const entries = isRecord(createdIds) ? Object.entries(createdIds) : []
  const isGood = isRecord(createdIds) && entries.every(([key, id]) => isId(key) && isId(id))
  return isGood
    ? new Map(entries.map(([key, id]) => [key, String(id)]))
    : failRequest('notRequest', '"createdIds" must be an object of ids.')
}

type Runner = Pick<Jmap, 'parts' | 'accesses' | 'shown' | 'memory'>

type ResponseOptions = {
  /** Further members of the Response object. */
  extra?: Args
  /** Is waited for before a large answer is made. */
  beforeLarge?: () => Promise<void>
  /** Ends the connection of a client that takes a large answer too slowly. */
  cut?: () => void
}

const nothing = (): void => undefined

/**
 * Runs the calls one after the other, and gives the text of the Response object piece by piece. A call is run when the
 * answers to those before it are taken: only one of them is in memory.
 */
export async function* runRequest(
  jmap: Runner,
  signIn: SignIn,
  request: JmapRequest,
  { extra = {}, beforeLarge = async () => undefined, cut = nothing }: ResponseOptions = {},
): AsyncGenerator<string, void, undefined> {
  const mailboxId = signIn.address.id
  const budget = createBudget(jmap.memory, { mailboxId, turn: turns.begin(mailboxId), beforeLarge, cut })
  const accounts = openAccounts(jmap.accesses, signIn)
  const run = openRun(jmap, { signIn, accounts, budget, request })
  try {
    let separator = '{"methodResponses":['
    for (const call of request.methodCalls) {
      const pieces = await run(call)
      let left = pieces.reduce((sum, { length }) => sum + length, 0)
      budget.answered(left)
      for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
        left -= piece.length
        yield separator + piece
        separator = ''
        budget.left(left)
      }
      separator = ','
    }
    const { createdIds } = request
    const rest = JSON.stringify({
      ...(createdIds ? { createdIds: Object.fromEntries(createdIds) } : {}),
      sessionState: sessionState(jmap.parts.config, signIn, await accounts.all()),
      ...extra,
    })
    yield `${request.methodCalls.length === 0 ? separator : ''}],${rest.slice(1)}`
  } finally {
    budget.left(0)
  }
}

type Run = { signIn: SignIn; accounts: Accounts; budget: Budget; request: JmapRequest }

/** Runs a call, and those that it causes; gives the text of their responses. */
const openRun = ({ parts, shown }: Runner, { signIn, accounts, budget, request }: Run) => {
  const { using, methodCalls } = request
  const createdIds = request.createdIds ?? new Map<string, string>()
  const references = openReferences(methodCalls, budget)

  const runMethod = async ([name, args, callId]: Invocation, isImplicit: boolean): Promise<Answered> => {
    const method = METHODS.get(name)
    if (!method || (!isImplicit && !using.has(method.capability))) return failMethod('unknownMethod')
    if (budget.isSpent) throw new TooMuchWork()
    const pending: Invocation[] = []
    const answer = await method.run(
      callOf({ parts, signIn, using, createdIds, budget, shown, accounts, method }, async (next, nextArgs) => {
        pending.push([next, nextArgs, callId])
      }),
      args,
    )
    return { response: [name, answer, callId], pending }
  }
  const answerTo = async ([name, args, callId]: Invocation, isImplicit: boolean): Promise<Answered> => {
    try {
      return await runMethod([name, references.resolve(args), callId], isImplicit)
    } catch (error) {
      const { type, more } = methodErrorOf(error) ?? unforeseen(parts, name, error)
      return { response: ['error', { type, ...more }, callId], pending: [] }
    }
  }
  const run = async (call: Invocation, isImplicit = false): Promise<string[]> => {
    const { response, pending } = await answerTo(call, isImplicit)
    await references.keep(response)
    const pieces = writeInvocation(response)
    for (const next of pending) pieces.push(',', ...(await run(next, true)))
    return pieces
  }
  return run
}

/** A response, and the calls that follow from it. */
type Answered = { response: Invocation; pending: readonly Invocation[] }

type CallParts = Pick<JmapCall, 'parts' | 'signIn' | 'using' | 'createdIds' | 'budget' | 'shown'> & {
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
      return failMethod('accountNotSupportedByMethod', 'This method only works with your own account.')
    return accounts.named(args, wants)
  },
})

/** Logged, because nobody foresaw it; the client learns no more than that it happened. */
const unforeseen = ({ log }: JmapParts, method: string, error: unknown): MethodError => {
  log.error({ err: error, method }, 'a JMAP method failed')
  return new MethodError('serverFail', 'The server ran into an unexpected error.')
}

export const TOO_LARGE = `A request can have up to ${MAX_SIZE_REQUEST} bytes.`
