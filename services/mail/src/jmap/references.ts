import { MAX_SIZE_REQUEST } from './limits.ts'
import { type Args, failMethod } from './method.ts'
import { isRecord } from './standard/arguments.ts'

/** One method response: name, arguments, call id. */
export type Invocation = readonly [name: string, args: Args, callId: string]

/**
 * Arguments with their result references replaced by what they refer to (RFC 8620 §3.7). What is referred to may not be
 * larger than what could have been sent: otherwise a few calls that refer to each other fill the memory.
 */
export const resolveReferences = (args: Args, responses: readonly Invocation[]): Args => {
  const names = Object.keys(args)
  if (!names.some((name) => name.startsWith('#'))) return args
  const resolved: Args = {}
  let room = MAX_SIZE_REQUEST
  const budget: Budget = { left: MAX_VISITED }
  for (const name of names) {
    const value = args[name]
    if (!name.startsWith('#')) {
      resolved[name] = value
      continue
    }
    const plain = name.slice(1)
    if (Object.hasOwn(args, plain))
      failMethod('invalidArguments', `The argument "${plain.slice(0, 100)}" is given and referred to.`)
    const found = resolve(value, responses, budget)
    room -= weigh(found, room)
    if (room < 0) failMethod('requestTooLarge', 'What is referred to is too large.')
    resolved[plain] = found
  }
  return resolved
}

/** How many values the references of one call may look at: a thousand of them to one long list cost a second. */
type Budget = { left: number }
const MAX_VISITED = 500_000

const resolve = (reference: unknown, responses: readonly Invocation[], budget: Budget): unknown => {
  if (!isRecord(reference)) return failReference('A reference must be an object.')
  const { resultOf, name, path } = reference
  if (typeof resultOf !== 'string' || typeof name !== 'string' || typeof path !== 'string')
    return failReference('A reference needs resultOf, name and path.')
  const response = responses.find(([, , callId]) => callId === resultOf)
  if (!response) return failReference('There is no response with this call id.')
  if (response[0] !== name) return failReference('The response is of another method.')
  if (path !== '' && !path.startsWith('/')) return failReference('The path must begin with a slash.')
  const steps = path === '' ? [] : path.slice(1).split('/', MAX_STEPS + 1)
  return steps.length > MAX_STEPS ? failReference('The path leads to nothing.') : follow(response[1], steps, budget)
}

/** Deeper than any object that we give. */
const MAX_STEPS = 64

/** RFC 6901, with `*` for every item of a list; lists that come of that are joined. */
const follow = (value: unknown, steps: readonly string[], budget: Budget): unknown => {
  budget.left -= 1
  if (budget.left < 0) failMethod('requestTooLarge', 'What is referred to is too large.')
  const [step, ...rest] = steps
  if (step === undefined) return value
  if (Array.isArray(value)) {
    if (step === '*') return joined(value, rest, budget)
    return /^(?:0|[1-9]\d{0,8})$/.test(step) && Number(step) < value.length
      ? follow(value[Number(step)], rest, budget)
      : failReference('The path leads outside of a list.')
  }
  const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
  return isRecord(value) && Object.hasOwn(value, name)
    ? follow(value[name], rest, budget)
    : failReference('The path leads to nothing.')
}

const joined = (items: readonly unknown[], rest: readonly string[], budget: Budget): unknown[] => {
  const all: unknown[] = []
  for (const item of items) {
    const found = follow(item, rest, budget)
    if (Array.isArray(found)) for (const each of found) all.push(each)
    else all.push(found)
    if (all.length > MAX_JOINED) failMethod('requestTooLarge', 'What is referred to is too large.')
  }
  return all
}

/** Many times what any method takes. */
const MAX_JOINED = 100_000

const failReference = (description: string): never => failMethod('invalidResultReference', description)

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
