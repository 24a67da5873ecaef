import type { Proposal, ProposalChange } from '@stoa/cms-model/assistant.ts'
import { isFieldType, isTextType } from '@stoa/cms-model/fields/types/index.ts'

type Body = Readonly<Record<string, unknown>>

export type Choice = {
  /** Paths of changes that are left out. */
  left: ReadonlySet<string>
  /** Values that the person wrote over the proposed ones, by path. */
  edits: Readonly<Record<string, unknown>>
  /** What only a person can add: `mode`, `approve`, `clientSecret`. */
  extras?: Body
  /** The person has seen what changed since it was proposed, and means what is there now. */
  isRebased?: boolean
}

export type BuiltRequest = {
  /** Which request of the proposal it is. */
  index: number
  method: 'POST' | 'PUT' | 'DELETE'
  path: string
  body: Body | undefined
  version: number | null
}

/** What is sent: the keys that are ticked, with the values that the person left or gave them. What is done is not sent again. */
export const buildRequests = (
  proposal: Proposal,
  { left, edits, extras = {}, isRebased = false }: Choice,
): BuiltRequest[] =>
  proposal.requests.flatMap(({ method, path, body, version: proposed, current, done }, index) => {
    if (done) return []
    const own = changesOf(proposal, index)
    const kept = own.filter((change) => !left.has(change.path))
    if (own.length > 0 && kept.length === 0) return []
    const version = isRebased && proposed !== null ? (current ?? proposed) : proposed
    return [{ index, method, path, version, body: bodyOf(body, { own, left, edits, extras, proposal }) }]
  })

type Parts = Required<Omit<Choice, 'isRebased'>> & { own: readonly ProposalChange[]; proposal: Proposal }

const bodyOf = (body: Body | null, { own, left, edits, extras, proposal }: Parts): Body | undefined => {
  if (body === null && Object.keys(extras).length === 0) return undefined
  return own.reduce<Body>(
    (built, { path }) => {
      const at = bodyPath(proposal, path)
      if (left.has(path)) return withoutAt(built, at)
      return Object.hasOwn(edits, path) ? withAt(built, at, edits[path]) : built
    },
    { ...body, ...extras },
  )
}

/** The changes that one of the requests makes. */
const changesOf = (proposal: Proposal, index: number): readonly ProposalChange[] =>
  proposal.requests.length === 1
    ? proposal.changes
    : proposal.changes.filter(({ path }) => path.startsWith(`${index}.`))

/** The path of a change in its body; with several requests their number comes first. */
const bodyPath = (proposal: Proposal, path: string): string =>
  proposal.requests.length === 1 ? path : path.slice(path.indexOf('.') + 1)

/** Whether a change can be left out: something of its own in the body of a request that changes what is there. */
export const isOptional = (proposal: Proposal, path: string): boolean => {
  const request = requestOf(proposal, path)
  if (!request || request.done || request.method !== 'PUT' || request.body === null) return false
  return hasAt(request.body, bodyPath(proposal, path)) && proposal.changes.length > 1
}

/** Whether a person can write another value: text that is in the body as it is shown. */
export const isEditable = (proposal: Proposal, { path, after, view, fieldType }: ProposalChange): boolean => {
  const request = requestOf(proposal, path)
  if (!request?.body || request.done || typeof after !== 'string' || MOMENT.test(after)) return false
  if (view !== 'text' && view !== 'markdown') return false
  if (fieldType !== null && !(isFieldType(fieldType) && isTextType(fieldType))) return false
  return readAt(request.body, bodyPath(proposal, path)) === after
}

/** An ISO timestamp; people do not type times in this format. */
const MOMENT = /^\d{4}-\d\d-\d\dT/

const requestOf = (proposal: Proposal, path: string) =>
  proposal.requests.length === 1 ? proposal.requests[0] : proposal.requests[Number(path.slice(0, path.indexOf('.')))]

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The key that a path begins with, and what is left of it: keys may have dots of their own. */
const split = (body: Body, path: string): [string, string | undefined] => {
  if (Object.hasOwn(body, path)) return [path, undefined]
  const dot = path.indexOf('.')
  return dot === -1 ? [path, undefined] : [path.slice(0, dot), path.slice(dot + 1)]
}

const readAt = (body: Body, path: string): unknown => {
  const [key, rest] = split(body, path)
  const value = Object.hasOwn(body, key) ? body[key] : undefined
  return rest === undefined ? value : isObject(value) ? readAt(value, rest) : undefined
}

const hasAt = (body: Body, path: string): boolean => {
  const [key, rest] = split(body, path)
  if (!Object.hasOwn(body, key)) return false
  const value = body[key]
  if (rest === undefined) return true
  return Array.isArray(value) ? value.some((item) => isNamed(item, rest)) : isObject(value) && hasAt(value, rest)
}

const withAt = (body: Body, path: string, value: unknown): Body => {
  const [key, rest] = split(body, path)
  const inner = body[key]
  if (rest === undefined) return { ...body, [key]: value }
  return isObject(inner) ? { ...body, [key]: withAt(inner, rest, value) } : body
}

const withoutAt = (body: Body, path: string): Body => {
  const [key, rest] = split(body, path)
  const inner = body[key]
  if (rest !== undefined && isObject(inner)) return keep(body, key, withoutAt(inner, rest))
  if (rest !== undefined && Array.isArray(inner))
    return keep(
      body,
      key,
      inner.filter((item) => !isNamed(item, rest)),
    )
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== key))
}

/** What nothing is left of is not sent. */
const keep = (body: Body, key: string, value: Body | readonly unknown[]): Body =>
  (Array.isArray(value) ? value.length : Object.keys(value).length) > 0
    ? { ...body, [key]: value }
    : Object.fromEntries(Object.entries(body).filter(([name]) => name !== key))

/** `remove: ["accent"]` and `fields: [{ key: "summary" }]` are named by what they are about. */
const isNamed = (item: unknown, name: string): boolean => item === name || (isObject(item) && item.key === name)
