import type { ApiDocument, Operation } from '@stoa/kit/http/openapi.ts'
import type { Dice } from './dice.ts'
import { sampleOf } from './from-schema.ts'
import { garbageBody, garbageText, garbageValue, mutate } from './garbage.ts'
import { filterOf, hintsFor, placeHint } from './hints.ts'
import { formOf } from './multipart.ts'
import type { Credential } from './people.ts'
import type { RandomRequest } from './send.ts'
import type { World } from './world.ts'

type Choice = { method: string; path: string; operation: Operation; weight: number }

export type RequestMaker = (dice: Dice, credentials: readonly Credential[]) => RandomRequest

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'] as const
/** Some are slow on purpose, or by nature: a few of them show as much as many. */
const SLOW = /^(POST \/api\/(auth\/(login|setup|password)|users|agent-keys)|PUT \/api\/(users|auth)|POST .*\/test$)/
/** Those that end the credentials of the run. */
const ENDING = /^(POST \/api\/auth\/logout|DELETE \/api\/(auth|users|agent-keys|delivery-keys|trash$))/
const LARGE = /^GET \/(openapi\.json|reference)/

/** Requests made of the service's own description, and everything that it does not foresee. */
export const createRequestMaker = (document: ApiDocument, world: World): RequestMaker => {
  const choices = choicesOf(document)
  const total = choices.reduce((sum, { weight }) => sum + weight, 0)
  const choose = (dice: Dice): Choice | undefined => {
    let left = dice.next() * total
    return choices.find(({ weight }) => {
      left -= weight
      return left <= 0
    })
  }
  return (dice, credentials) => {
    const choice = choose(dice) ?? choices[0]
    if (!choice || dice.chance(0.02)) return stray(dice, credentials)
    const group = groupOf(choice.path)
    const method = dice.chance(0.04) ? dice.pick(METHODS) : choice.method
    const made = bodyOf(choice, { dice, document, world, group })
    // RFC 9110 §9.3.1: a length without the body would make the next request a part of this one.
    const { body, type } = method === 'GET' || method === 'HEAD' ? { body: null, type: null } : made
    return {
      method,
      path: fillPath(choice.path, dice, world, group) + queryOf(choice, { dice, document, world, group }),
      headers: headersOf(dice, credentials, { group, operation: choice.operation, type, length: body?.length }),
      body,
      route: `${method} ${choice.path}`,
      group,
    }
  }
}

/** The first segment that says what it is about. */
export const groupOf = (path: string): string => path.split('/').filter((part) => part && part !== 'api')[0] ?? ''

const choicesOf = (document: ApiDocument): Choice[] =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([verb, operation]) => {
      const method = verb.toUpperCase()
      const name = `${method} ${path}`
      const weight = SLOW.test(name) || ENDING.test(name) ? 0.1 : LARGE.test(name) ? 0.05 : 1
      return { method, path, operation, weight }
    }),
  )

type Around = { dice: Dice; document: ApiDocument; world: World; group: string }

const fillPath = (path: string, dice: Dice, { pools }: World, group: string): string => {
  if (path.startsWith('/media/') && dice.chance(0.5))
    return new URL(dice.pickAny(pools.get('files') ?? []) ?? '/', BASE).pathname
  const kind = path.endsWith('/restore') && !path.includes('revisions') ? 'trash' : group
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    if (dice.chance(0.08)) return escapeText(dice, garbageText(dice))
    // An id of something else.
    if (dice.chance(0.06)) return encodeURIComponent(dice.pickAny([...pools.values()].flat()) ?? 'x')
    return encodeURIComponent(placeHint(dice, pools, { name, group: kind }).toWellFormed())
  })
}

const BASE = 'http://localhost'

const queryOf = ({ operation }: Choice, { dice, document, world, group }: Around): string => {
  const pairs: string[] = []
  for (const { name, schema } of operation.parameters.filter((parameter) => parameter.in === 'query')) {
    if (!dice.chance(0.3)) continue
    const value = dice.chance(0.2)
      ? garbageText(dice)
      : asText(sampleOf(schema, { document, dice, hint: hintsFor(world.pools, 'query'), depth: 0, name }))
    pairs.push(`${escapeText(dice, name)}=${escapeText(dice, value)}`)
  }
  if (group === 'content')
    while (dice.chance(0.35))
      pairs.push(
        filterOf(dice)
          .map((text) => escapeText(dice, text))
          .join('='),
      )
  if (dice.chance(0.05)) pairs.push(`${escapeText(dice, garbageText(dice))}=${escapeText(dice, garbageText(dice))}`)
  if (dice.chance(0.03) && pairs[0]) pairs.push(pairs[0])
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

const bodyOf = (choice: Choice, around: Around): { body: Buffer | null; type: string | null } => {
  const { dice, document, world, group } = around
  const content = choice.operation.requestBody?.content
  if (!content) return dice.chance(0.05) ? { body: garbageBody(dice), type: JSON_TYPE } : { body: null, type: null }
  if (content['multipart/form-data']) return formOf(dice, world)
  if (dice.chance(0.06)) return { body: garbageBody(dice), type: JSON_TYPE }
  const { schema = {}, example } = content[JSON_TYPE] ?? {}
  const hint = hintsFor(world.pools, group)
  const isExample = example !== undefined && dice.chance(0.15)
  let value = isExample ? example : sampleOf(schema, { document, dice, hint, depth: 0, name: '' })
  while (dice.chance(0.3)) value = mutate(dice, value)
  return { body: Buffer.from(JSON.stringify(value) ?? ''), type: JSON_TYPE }
}

const JSON_TYPE = 'application/json'

type Surroundings = { group: string; operation: Operation; type: string | null; length: number | undefined }

const headersOf = (dice: Dice, credentials: readonly Credential[], around: Surroundings): Record<string, string> => {
  const headers: Record<string, string> = {
    'x-forwarded-for': `10.${dice.int(0, 255)}.${dice.int(0, 255)}.${dice.int(1, 254)}`,
    ...credentialOf(dice, credentials, around.operation),
  }
  if (around.type !== null) headers['content-type'] = around.type
  if (around.length !== undefined) headers['content-length'] = String(around.length)
  const odd: Record<string, () => string> = {
    'if-match': () => dice.pick(['"v1"', '"v2"', '*', 'W/"v1"', '"']),
    'if-none-match': () => dice.pick(['"v1"', '*', 'W/"x"', '"a", "b"']),
    'accept-version': () => dice.pick(['1', '2', '1.0', 'x']),
    origin: () => dice.pick(['http://evil.test', 'null', 'https://example.com']),
    'sec-fetch-site': () => dice.pick(['cross-site', 'same-origin', 'none', 'x']),
    range: () => dice.pick(['bytes=0-10', 'bytes=-5', 'bytes=9-1', 'bytes=0-1,3-4', 'lines=1']),
    accept: () => dice.pick(['text/html', 'image/webp', '*/*', ';;;']),
    'accept-encoding': () => dice.pick(['gzip', 'br;q=x', 'identity;q=0']),
    cookie: () => `cms_session=${headerText(garbageText(dice))}; a=b; cms_session=x`,
    'content-type': () => dice.pick(['text/plain', 'application/json; charset=utf-16', 'multipart/form-data', 'x']),
    'content-encoding': () => dice.pick(['gzip', 'deflate', 'x']),
    'user-agent': () => headerText(garbageText(dice)),
    'x-request-id': () => headerText(garbageText(dice)),
    'x-http-method-override': () => 'DELETE',
  }
  for (const [name, make] of Object.entries(odd)) if (dice.chance(0.03)) headers[name] = make()
  return headers
}

/** Mostly one of the kinds that the route takes, sometimes another one, none, or something that is none. */
const credentialOf = (
  dice: Dice,
  credentials: readonly Credential[],
  { security }: Operation,
): Record<string, string> => {
  const kinds = security.flatMap((scheme) => Object.keys(scheme))
  const fitting = credentials.filter(({ kind }) => kinds.includes(kind))
  const chosen = dice.chance(0.88) ? dice.pickAny(fitting) : dice.pickAny(credentials)
  if (!chosen || dice.chance(0.05)) return {}
  const token = dice.chance(0.03) ? chosen.token.slice(0, -1) : chosen.token
  const header = dice.chance(0.02) ? dice.pick(['authorization', 'x-api-key', 'cookie']) : chosen.header
  if (header === 'cookie') return { cookie: `cms_session=${token}` }
  if (header === 'x-api-key') return { [header]: token }
  return {
    [header]: dice.chance(0.98) ? `Bearer ${token}` : dice.pick([token, `Basic ${token}`, 'Bearer', 'Bearer  ']),
  }
}

/** A request that no description knows. */
const stray = (dice: Dice, credentials: readonly Credential[]): RandomRequest => {
  const parts = Array.from({ length: dice.int(1, 4) }, () =>
    dice.chance(0.4)
      ? dice.pick(['api', 'content', 'media', 'admin', 'preview', 'realtime', 'site', '..'])
      : escapeText(dice, garbageText(dice)),
  )
  const chosen = dice.pickAny(credentials)
  const body = dice.chance(0.3) ? garbageBody(dice) : null
  return {
    method: dice.pick(METHODS),
    path: `/${parts.join('/')}`,
    headers: {
      ...(chosen && dice.chance(0.5) ? { [chosen.header]: chosen.token } : {}),
      ...(body
        ? { 'content-length': String(body.length), 'content-type': dice.pick([JSON_TYPE, 'text/plain', 'a/b']) }
        : {}),
      'x-garbage': headerText(asText(garbageValue(dice))),
    },
    body,
    route: 'stray',
    group: 'stray',
  }
}

/** In an address: mostly encoded as it should be, sometimes as nobody should. */
const escapeText = (dice: Dice, text: string): string => {
  if (dice.chance(0.05)) return dice.pick(['%', '%zz', '%00', '%ED%A0%80', '%c0%af', '%2e%2e%2f', '%u0041'])
  return encodeURIComponent(text.toWellFormed()).slice(0, 6_000)
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** RFC 9110 §5.5: what the client's own HTTP library lets through. */
const headerText = (text: string): string =>
  text
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')
    .trim()
    .slice(0, 2_000)
