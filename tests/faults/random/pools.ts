/** Names and ids that exist, or did: by the group of routes that they belong to. */
export type Pools = ReadonlyMap<string, readonly string[]>

const MAX_POOL = 300
/** Of a long list, the beginning will do. */
const MAX_LEARNED = 50
/** Below others in paths, and with ids of their own. */
const PLACES = ['revisions', 'terms', 'deliveries', 'trash']
/** Groups whose records are asked for by name. */
const NAMED = new Set(['types', 'menus', 'taxonomies'])

/** Collects values from answers, except for what is hidden. */
export const createPools = (hidden: string) => {
  const pools = new Map<string, string[]>()
  const add = (group: string, name: unknown): void => {
    const pool = pools.get(group) ?? []
    pools.set(group, pool)
    if (typeof name !== 'string' || name === hidden || pool.includes(name)) return
    if (pool.length >= MAX_POOL) pool.shift()
    pool.push(name)
  }
  return {
    pools,
    /** Takes in the ids and names of an answer. */
    learn(group: string, path: string, text: string): void {
      const body = parse(text)
      const place = PLACES.find((name) => path.includes(`/${name}`)) ?? group
      for (const record of [body, ...listOf(Reflect.get(Object(body), 'items'))].slice(0, MAX_LEARNED).map(Object)) {
        add(place, record.id)
        add(place === 'terms' ? 'term-slugs' : 'slugs', record.slug)
        if (place === 'media') add('files', record.url)
        if (NAMED.has(group)) add(`${group}-names`, record.name)
        if (path.includes('/preview')) add('previews', record.token)
      }
    },
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
