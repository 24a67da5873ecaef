/** A place where a statement reads or changes rows of a table. */
export type TableUse = {
  readonly table: string
  /** Whether the rows are chosen by a value of their key: one that is given, or that of other rows which are. */
  readonly isKeyed: boolean
}

type Group = Token[]
type Token = string | Group

const TOKEN = /'(?:[^']|'')*'|"[^"]*"|\$\d+|[a-z_]\w*(?:\.(?:[a-z_]\w*|"[^"]*"|\*))?|::|[<>!=@&|?*+-]+|[^\s\w]/gi

/** Tables that the text names, each with the column that its rows are distributed by. Rows that are inserted have theirs. */
export const tableUsesIn = (text: string, keys: ReadonlyMap<string, string>): TableUse[] =>
  segmentsOf(nest(text.match(TOKEN) ?? [])).flatMap((segment) => usesOf(segment, keys))

const nest = (tokens: readonly string[]): Group => {
  const root: Group = []
  const open: Group[] = [root]
  for (const token of tokens) {
    if (token === '(' || token === '[') {
      const inner: Group = []
      open.at(-1)?.push(inner)
      open.push(inner)
    } else if (token === ')' || token === ']') {
      if (open.length > 1) open.pop()
    } else open.at(-1)?.push(token.startsWith("'") ? token : token.toLowerCase())
  }
  return root
}

const SET_OPERATIONS = new Set(['union', 'intersect', 'except'])
const QUERY_WORDS = new Set(['select', 'with', 'insert', 'update', 'delete', 'from'])
const isQuery = (group: Group): boolean => typeof group[0] === 'string' && QUERY_WORDS.has(group[0])

/** Each query with what belongs to it alone: brackets of conditions stay in it, queries in brackets are their own. */
const segmentsOf = (group: Group): Group[] => {
  const segments: Group[] = [[]]
  const inner: Group[] = []
  for (const token of group) {
    if (typeof token !== 'string') {
      if (isQuery(token) || token.some((each) => typeof each === 'string' && SET_OPERATIONS.has(each))) {
        inner.push(...segmentsOf(token))
        segments.at(-1)?.push([])
      } else {
        const [own = [], ...more] = segmentsOf(token)
        inner.push(...more)
        segments.at(-1)?.push(own)
      }
    } else if (SET_OPERATIONS.has(token)) segments.push([])
    else segments.at(-1)?.push(token)
  }
  return [...segments, ...inner]
}

type Source = { table: string; alias: string }

const NOT_AN_ALIAS =
  /^(where|join|left|right|full|inner|cross|on|using|set|order|group|limit|offset|for|returning|union|values|select|natural|default|as|and|from|tablesample)$/

const sourcesOf = (segment: Group): Source[] => {
  const sources: Source[] = []
  let isNext = false
  segment.forEach((token, at) => {
    const before = segment[at - 1]
    if (typeof token !== 'string') {
      isNext = false
      return
    }
    const isTable = isNext || (at === 0 && startsAsSource(segment))
    if (isTable && /^[a-z_]\w*$/.test(token) && token !== 'only' && token !== 'lateral') {
      const [next, after] = [segment[at + 1], segment[at + 2]]
      const named = next === 'as' ? after : next
      const alias = typeof named === 'string' && /^[a-z_]\w*$/.test(named) && !NOT_AN_ALIAS.test(named) ? named : token
      sources.push({ table: token, alias })
    }
    const isList = token === ',' && sources.length > 0 && isInFrom(segment, at)
    isNext =
      (token === 'from' && before !== 'distinct') ||
      token === 'join' ||
      (token === 'using' && typeof segment[at + 1] === 'string') ||
      (token === 'update' && before !== 'for' && before !== 'do' && before !== 'no' && before !== 'key') ||
      isList ||
      (isNext && (token === 'only' || token === 'lateral'))
  })
  return sources
}

const startsAsSource = ([, second, third, fourth]: Group): boolean =>
  typeof second === 'string' && /^(where|join|left|cross)$/.test(String(second === 'as' ? fourth : third))

/** After `from`, and before what follows it. */
const isInFrom = (segment: Group, at: number): boolean => {
  const words = segment.slice(0, at).filter((token) => typeof token === 'string')
  const from = Math.max(words.lastIndexOf('from'), words.lastIndexOf('using'))
  if (from === -1) return false
  return !words.slice(from).some((word) => /^(where|order|group|set|returning|limit|on|select|having)$/.test(word))
}

type Side = { alias: string | null; column: string } | null

const usesOf = (segment: Group, keys: ReadonlyMap<string, string>): TableUse[] => {
  const sources = sourcesOf(segment).filter(({ table }) => keys.has(table))
  const isKeyOf = ({ table, alias }: Source, side: Side): boolean =>
    side !== null && side.column === keys.get(table) && (side.alias === null || side.alias === alias)
  const sourcesAt = (side: Side): Source[] => sources.filter((source) => isKeyOf(source, side))
  const known = new Set<Source>()
  const links: [Source, Source][] = []
  for (const [left, right] of equalitiesIn(segment)) {
    const [of, to] = [sourcesAt(left), sourcesAt(right)]
    if (of.length === 0 || to.length === 0) for (const source of [...of, ...to]) known.add(source)
    else for (const a of of) for (const b of to) links.push([a, b], [b, a])
  }
  for (let count = -1; count !== known.size; ) {
    count = known.size
    for (const [a, b] of links) if (known.has(a)) known.add(b)
  }
  const read = sources.map((source) => ({ table: source.table, isKeyed: known.has(source) }))
  const inserted = segment.filter((table, at) => segment[at - 1] === 'into' && keys.has(String(table)))
  return [...read, ...inserted.map((table) => ({ table: String(table), isKeyed: true }))]
}

const sideOf = (token: Token | undefined): Side => {
  if (typeof token !== 'string' || !/^[a-z_][\w.]*$/.test(token)) return null
  const [first = '', second] = token.split('.')
  return second === undefined ? { alias: null, column: first } : { alias: first, column: second }
}

/** What is said to be equal in a query: `a = b`, `(a, b) = (c, d)`, `(a, b) in (…)`, `using (a)`. */
const equalitiesIn = (segment: Group): [Side, Side][] =>
  segment.flatMap((token, at): [Side, Side][] => {
    if (typeof token !== 'string') return isQuery(token) ? [] : equalitiesIn(token)
    const [left, right] = [segment[at - 1], segment[at + 1]]
    if (token === 'using' && Array.isArray(right))
      return right.map((each): [Side, Side] => [sideOf(each), sideOf(each)])
    if (token !== '=' && token !== 'in') return []
    if (typeof left === 'string' || left === undefined) return [[sideOf(left), token === '=' ? sideOf(right) : null]]
    const values = Array.isArray(right) && token === '=' ? right.filter((each) => each !== ',') : []
    return left.filter((each) => each !== ',').map((each, nth): [Side, Side] => [sideOf(each), sideOf(values[nth])])
  })
