import type { Turn } from '../fairness/fairness.ts'
import { type Budget, TooMuchWork } from './budget.ts'
import { isWritten, Json } from './json.ts'
import { MAX_SIZE_REQUEST } from './limits.ts'
import { type Args, failMethod, MethodError } from './method.ts'
import { isRecord } from './standard/arguments.ts'

/** One method response: name, arguments, call id. */
export type Invocation = readonly [name: string, args: Args, callId: string]

/** The result references of a request (RFC 8620 §3.7). */
export type References = {
  /** Takes out of a response what calls refer to: the response itself is not needed any more. */
  keep(response: Invocation): Promise<void>
  /** Arguments with their references replaced by what they refer to. */
  resolve(args: Args): Args
}

/** The value that a result reference names, or the error to return. */
type Kept = { value: unknown; weight: number; visits: number } | MethodError
type Response = { name: string; kept: Map<string, Kept> }

/** How many values the references of one call may look at: a thousand of them to one long list cost a second. */
const MAX_VISITED = 500_000
const VISIT_WORK = 5

export const openReferences = (calls: readonly Invocation[], budget: Pick<Budget, 'spend' | 'turn'>): References => {
  const wanted = wantedPaths(calls)
  const responses = new Map<string, Response>()
  let room = MAX_SIZE_REQUEST

  const keepPath = async (args: Args, path: string): Promise<Kept> => {
    try {
      const look: Look = { visits: MAX_VISITED, spend: budget.spend }
      const value = await find(args, stepsOf(path), look, budget.turn)
      const visits = MAX_VISITED - look.visits
      budget.spend(visits * VISIT_WORK)
      const weight = weigh(value, room)
      room -= weight
      return room < 0 ? failSize() : { value, weight, visits }
    } catch (error) {
      // The method has run: it is the call that refers to it which fails.
      if (error instanceof TooMuchWork) return new MethodError('requestTooLarge', error.message)
      if (error instanceof MethodError) return error
      throw error
    }
  }
  return {
    async keep([name, args, callId]) {
      const paths = wanted.get(callId)
      // The first response with the id is meant.
      if (!paths || responses.has(callId)) return
      const kept = new Map<string, Kept>()
      responses.set(callId, { name, kept })
      for (const [path, names] of paths) if (names.has(name)) kept.set(path, await keepPath(args, path))
    },
    resolve: (args) => resolveAll(args, responses),
  }
}

/** Paths by the id of the call that they lead into, with the names that its response is expected to have. */
const wantedPaths = (calls: readonly Invocation[]): Map<string, Map<string, Set<string>>> => {
  const wanted = new Map<string, Map<string, Set<string>>>()
  for (const [, args] of calls)
    for (const [argument, value] of Object.entries(args)) {
      if (!argument.startsWith('#') || !isReference(value)) continue
      const paths = wanted.get(value.resultOf) ?? new Map<string, Set<string>>()
      wanted.set(value.resultOf, paths)
      paths.set(value.path, (paths.get(value.path) ?? new Set()).add(value.name))
    }
  return wanted
}

type Reference = { resultOf: string; name: string; path: string }

const isReference = (value: unknown): value is Reference =>
  isRecord(value) &&
  typeof value.resultOf === 'string' &&
  typeof value.name === 'string' &&
  typeof value.path === 'string'

/**
 * What is referred to may not be larger than what could have been sent: otherwise a few calls that refer to each other
 * fill the memory.
 */
const resolveAll = (args: Args, responses: ReadonlyMap<string, Response>): Args => {
  const names = Object.keys(args)
  if (!names.some((name) => name.startsWith('#'))) return args
  const resolved: Args = {}
  let room = MAX_SIZE_REQUEST
  let visits = MAX_VISITED
  for (const name of names) {
    const value = args[name]
    if (!name.startsWith('#')) {
      resolved[name] = value
      continue
    }
    const plain = name.slice(1)
    if (Object.hasOwn(args, plain))
      failMethod(
        'invalidArguments',
        `The argument "${plain.slice(0, 100)}" is given both as a value and as a reference.`,
      )
    const found = resolve(value, responses)
    room -= found.weight
    visits -= found.visits
    if (room < 0 || visits < 0) failSize()
    resolved[plain] = found.value
  }
  return resolved
}

const resolve = (reference: unknown, responses: ReadonlyMap<string, Response>): Exclude<Kept, MethodError> => {
  if (!isRecord(reference)) return failReference('A reference must be an object.')
  if (!isReference(reference)) return failReference('A reference must have resultOf, name and path.')
  const response = responses.get(reference.resultOf)
  if (!response) return failReference('There is no response with this call id.')
  if (response.name !== reference.name) return failReference('The response belongs to another method.')
  const kept = response.kept.get(reference.path) ?? failReference('The path does not match anything.')
  if (kept instanceof MethodError) throw kept
  return kept
}

/** Deeper than any object that we give. */
const MAX_STEPS = 64

const stepsOf = (path: string): string[] => {
  if (path !== '' && !path.startsWith('/')) return failReference('The path must start with a slash.')
  const steps = path === '' ? [] : path.slice(1).split('/', MAX_STEPS + 1)
  return steps.length > MAX_STEPS ? failReference('The path does not match anything.') : steps
}

type Look = { visits: number; readonly spend: Budget['spend'] }

/** Long lists are of written objects, and are read one by one. */
const find = async (args: Args, steps: readonly string[], look: Look, turn: Turn): Promise<unknown> => {
  const [member = '', step, ...rest] = steps
  const list = Object.hasOwn(args, member) ? args[member] : null
  if (step !== '*' || !Array.isArray(list) || !isWritten(list)) return follow(args, steps, look)
  const all: unknown[] = []
  for (const item of list) {
    addTo(all, follow(item, rest, look))
    if (turn.isOver()) await turn.next()
  }
  return all
}

/** RFC 6901, with `*` for every item of a list; lists that come of that are joined. */
const follow = (given: unknown, steps: readonly string[], look: Look): unknown => {
  look.visits -= 1
  if (look.visits < 0) return failSize()
  const value = given instanceof Json ? parse(given, look) : given
  const [step, ...rest] = steps
  if (step === undefined) return plain(value, look)
  if (Array.isArray(value)) {
    if (step === '*') return joined(value, rest, look)
    return /^(?:0|[1-9]\d{0,8})$/.test(step) && Number(step) < value.length
      ? follow(value[Number(step)], rest, look)
      : failReference('The path is outside the list.')
  }
  const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
  return isRecord(value) && Object.hasOwn(value, name)
    ? follow(value[name], rest, look)
    : failReference('The path does not match anything.')
}

const joined = (items: readonly unknown[], rest: readonly string[], look: Look): unknown[] => {
  const all: unknown[] = []
  for (const item of items) addTo(all, follow(item, rest, look))
  return all
}

/** Many times what any method takes. */
const MAX_JOINED = 100_000

const addTo = (all: unknown[], found: unknown): void => {
  if (Array.isArray(found)) for (const each of found) all.push(each)
  else all.push(found)
  if (all.length > MAX_JOINED) failSize()
}

const parse = ({ text }: Json, { spend }: Look): unknown => {
  spend(text.length)
  return JSON.parse(text)
}

/** The value without written objects in it: those of a response, or of one of its members. */
const plain = (value: unknown, look: Look): unknown => {
  if (!isRecord(value) && !Array.isArray(value)) return value
  if (!isWritten(value)) {
    const hasWritten = isRecord(value) && Object.values(value).some(isWritten)
    return hasWritten ? mapMembers(value, (each) => plain(each, look)) : value
  }
  const length = Object.values(value).reduce((sum, { text }) => sum + text.length, 0)
  if (length > MAX_SIZE_REQUEST) return failSize()
  return Array.isArray(value)
    ? value.map((each) => parse(each, look))
    : mapMembers(value, (each) => (each instanceof Json ? parse(each, look) : each))
}

const mapMembers = (record: Readonly<Record<string, unknown>>, map: (value: unknown) => unknown): Args =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))

const failReference = (description: string): never => failMethod('invalidResultReference', description)
const failSize = (): never => failMethod('requestTooLarge', 'The referenced result is too large.')

/** About the length of the value as JSON; stops counting past the limit. */
const weigh = (value: unknown, limit: number): number => {
  let weight = 0
  const pending: unknown[] = [value]
  while (pending.length > 0 && weight <= limit) {
    const each = pending.pop()
    weight += typeof each === 'string' ? each.length + 2 : 4
    if (Array.isArray(each)) for (const item of each) pending.push(item)
    else if (isRecord(each))
      for (const [name, item] of Object.entries(each)) {
        weight += name.length + 3
        pending.push(item)
      }
  }
  return weight
}
