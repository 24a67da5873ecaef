import { OWNER } from '../writers.ts'
import { dataFor, FIELDS, TYPE } from './content.ts'
import type { Dice } from './dice.ts'
import type { Hint } from './from-schema.ts'
import type { Pools } from './pools.ts'

const MINUTE_MS = 60_000
const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'] as const

type Maker = (dice: Dice, pools: Pools) => unknown

const any =
  (group: string): Maker =>
  (dice, pools) =>
    dice.pickAny(pools.get(group) ?? [])

/** By the name of a member, parameter or place in a path. */
const makers: Record<string, Maker> = {
  type: (dice, pools) => (dice.chance(0.7) ? TYPE : any('types-names')(dice, pools)),
  types: (dice, pools) => dice.pick([['*'], [TYPE], [any('types-names')(dice, pools) ?? TYPE]]),
  slug: (dice, pools) => (dice.chance(0.5) ? any('slugs')(dice, pools) : `slug-${dice.int(0, 400)}`),
  data: dataFor,
  ids: (dice, pools) => Array.from({ length: dice.int(1, 5) }, () => any('entries')(dice, pools) ?? ''),
  entryId: any('entries'),
  translationOf: any('entries'),
  authorId: any('users'),
  author: any('users'),
  parentId: any('terms'),
  logoId: any('media'),
  socialImageId: any('media'),
  taxonomy: any('taxonomies-names'),
  term: (dice, pools) => `${any('taxonomies-names')(dice, pools)}:${any('slugs')(dice, pools)}`,
  replaces: any('previews'),
  email: (dice) => `person${dice.int(0, 300)}@example.test`,
  password: () => OWNER.password,
  currentPassword: () => OWNER.password,
  newPassword: () => OWNER.password,
  role: (dice) => dice.pick(['viewer', 'author', 'editor', 'admin', 'owner']),
  name: (dice) => dice.pick(NAMES),
  label: (dice) => `Label ${dice.int(0, 20)}`,
  url: (dice) => dice.pick(['https://example.com/a', '/path', 'http://127.0.0.1/', 'https://10.0.0.1/x']),
  events: (dice) => dice.pick([['*'], ['entry.published'], ['media.created', 'type.updated']]),
  grants: () => ['content.read', 'content.write'],
  version: (dice) => dice.int(1, 4),
  at: (dice) => new Date(Date.now() + dice.int(-2, 60) * MINUTE_MS).toISOString(),
  locale: (dice) => dice.pick(['en', 'de', 'pt-BR', 'xx']),
  previewUrl: () => '/blog/{slug}',
  sort: (dice) => dice.pick(['-updatedAt', 'title', 'data.price', '-data.line,title', 'createdAt', 'position']),
  fields: (dice) => dice.pick(['title,data.price', 'slug', 'data', 'id,data.related,data.rows']),
  include: (dice) => dice.pick(['terms', 'author', 'terms,author']),
  depth: (dice) => String(dice.int(0, 4)),
  page: (dice) => String(dice.pick([1, 1, 2, 3, 1_000])),
  limit: (dice) => String(dice.pick([1, 5, 25, 100, 101])),
  q: (dice) => dice.pick(['short', 'unicode', 'entry', 'lo lo', '"a b"', 'x'.repeat(300)]),
  w: (dice) => String(dice.pick([16, 320, 640, 7])),
  h: (dice) => String(dice.pick([16, 320, 640, 7])),
  fit: (dice) => dice.pick(['cover', 'contain', 'inside']),
  fm: (dice) => dice.pick(['webp', 'avif', 'jpeg', 'png']),
  keys: (dice) => dice.pick([['title'], ['data.line', 'slug'], ['price']]),
  confirm: () => true,
}

/** What a member of this name holds in requests of this group. */
export const hintsFor =
  (pools: Pools, group: string): Hint =>
  (name, dice) => {
    if (name === 'fields' && group === 'types') return fieldsOf(dice)
    if (name === 'name' && (group === 'menus' || group === 'types') && dice.chance(0.5))
      return any(`${group}-names`)(dice, pools)
    return makers[name]?.(dice, pools)
  }

/** Places in paths: what they mean depends on the route. */
export const placeHint = (dice: Dice, pools: Pools, { name, group }: { name: string; group: string }): string => {
  const known = dice.pickAny(pools.get(poolFor(name, group)) ?? []) ?? makers[name]?.(dice, pools)
  return String(known ?? dice.pickAny(pools.get('entries') ?? []) ?? 'x')
}

const poolFor = (name: string, group: string): string => {
  if (name === 'id') return group
  if (name === 'name') return `${group}-names`
  if (name === 'rid') return 'revisions'
  if (name === 'did') return 'deliveries'
  if (name === 'slug' && group === 'taxonomies') return 'term-slugs'
  if (name === 'token') return 'previews'
  return name
}

const fieldsOf = (dice: Dice): unknown[] =>
  FIELDS.filter(() => dice.chance(0.6)).map((field) => ({
    ...field,
    required: dice.chance(0.2),
    hidden: dice.chance(0.1),
  }))

/** Conditions of the delivery API, in their brackets. */
export const filterOf = (dice: Dice): [string, string] => {
  const key = dice.pick([
    'line',
    'price',
    'day',
    'moment',
    'size',
    'tags',
    'isNew',
    'cover',
    'related',
    'title',
    'sku',
    'rows',
  ])
  const op = dice.pick(['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'nin', 'contains', 'starts', 'exists', 'like'])
  const value = dice.pick(['1', 'a', '2026-03-01', 'true', 'a,b,c', '%_', '-1e9', '2026-03-01T00:00:00Z', ''])
  const form = dice.int(0, 5)
  if (form === 0) return [`filter[or][${dice.int(0, 3)}][${key}][${op}]`, value]
  if (form === 1) return [`filter[${key}]`, value]
  if (form === 2) return [`filter[${key}][${op}][x]`, value]
  return [`filter[${key}][${op}]`, value]
}
