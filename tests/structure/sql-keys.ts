/** A place where a statement reads or changes rows of a table. */
export type TableUse = {
  readonly table: string
  /** Whether the rows are chosen by a value of their key: one that is given, or that of other rows which are. */
  readonly isKeyed: boolean
}

type Group = Token[]
type Token = string | Group

/** What a query is read in. */
type Scope = {
  /** The column that rows of a table are distributed by. */
  readonly keys: ReadonlyMap<string, string>
  /** Queries named by `with`, and whether their rows have a key. */
  readonly named: ReadonlyMap<string, boolean>
  /** Whether the value of a column of the queries around it is given. */
  readonly isGiven: (alias: string, column: string) => boolean
}

const TOKEN = /'(?:[^']|'')*'|"[^"]*"|\$\d+|[a-z_]\w*(?:\.(?:[a-z_]\w*|"[^"]*"|\*))?|::|[<>!=@&|?*+-]+|[^\s\w]/gi

/** Tables that the text names, of those that have a key. Rows that are inserted have theirs. */
export const tableUsesIn = (text: string, keys: ReadonlyMap<string, string>): TableUse[] =>
  usesIn(nest(text.match(TOKEN) ?? []), { keys, named: new Map(), isGiven: () => false })

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

const usesIn = (group: Group, outer: Scope): TableUse[] => {
  const scope = { ...outer, named: withNamed(group, outer) }
  return queriesOf(group).flatMap((query) => {
    const sources = sourcesOf(query, scope)
    const isGiven = givenIn(query, sources, scope)
    const read = sources.flatMap(({ table, alias }) => {
      const key = table === null ? undefined : scope.keys.get(table)
      return table === null || key === undefined ? [] : [{ table, isKeyed: isGiven(alias, key) }]
    })
    const inserted = query.flatMap((table, at) =>
      typeof table === 'string' && query[at - 1] === 'into' && scope.keys.has(table) ? [{ table, isKeyed: true }] : [],
    )
    return [...read, ...inserted, ...innerOf(query).flatMap((inner) => usesIn(inner, { ...scope, isGiven }))]
  })
}

const SET_OPERATIONS = new Set(['union', 'intersect', 'except'])
const QUERY_WORDS = new Set(['select', 'with', 'insert', 'update', 'delete', 'from'])

const isQuery = (token: Token | undefined): token is Group => {
  if (!Array.isArray(token)) return false
  const [first] = token
  return typeof first === 'string' ? QUERY_WORDS.has(first) : isQuery(first)
}

/** `a union b` is two. */
const queriesOf = (group: Group): Group[] => {
  const queries: Group[] = [[]]
  for (const token of group) {
    if (typeof token === 'string' && SET_OPERATIONS.has(token)) queries.push([])
    else queries.at(-1)?.push(token)
  }
  return queries
}

const innerOf = (group: Group): Group[] =>
  group.flatMap((token) => (typeof token === 'string' ? [] : isQuery(token) ? [token] : innerOf(token)))

/** `with a as (…), b as materialized (…)` */
const withNamed = (group: Group, scope: Scope): Map<string, boolean> => {
  const named = new Map(scope.named)
  group.forEach((query, at) => {
    const before = group.slice(0, at).filter((word) => typeof word === 'string' && !/^(not|materialized)$/.test(word))
    const [name, as] = before.slice(-2)
    if (!isQuery(query) || as !== 'as' || typeof name !== 'string') return
    // One that is recursive reads itself.
    named.set(name, true)
    named.set(name, hasKey(query, { ...scope, named }))
  })
  return named
}

/**
 * Whether the rows of a query have a key: those of a table that is distributed do, and so do values that were given. That
 * the table is read by its key is asked where it is read.
 */
const hasKey = (group: Group, outer: Scope): boolean => {
  const scope = { ...outer, named: withNamed(group, outer) }
  return queriesOf(group).every((query) => {
    const sources = sourcesOf(query, scope)
    const tables = sources.filter(({ table }) => table !== null)
    if (tables.some(({ table }) => scope.keys.has(table ?? ''))) return true
    return (
      tables.length === 0 &&
      sources.every((source) => source.hasKey) &&
      innerOf(query).every((each) => hasKey(each, scope))
    )
  })
}

/** What a query reads: a table, or else rows of another query or of a function. */
type Source = { alias: string; table: string | null; hasKey: boolean }

const NAME = /^[a-z_]\w*$/
const NOT_AN_ALIAS =
  /^(where|join|left|right|full|inner|cross|on|using|set|order|group|limit|offset|for|returning|union|values|select|natural|default|as|and|from|tablesample|with)$/

const sourcesOf = (query: Group, scope: Scope): Source[] =>
  query.flatMap((token, at): Source[] => {
    if (!isSourceAt(query, at)) return []
    const values = typeof token === 'string' && Array.isArray(query[at + 1]) ? query[at + 1] : null
    const alias = aliasAt(query, values ? at + 2 : at + 1)
    if (isQuery(token)) return [{ alias: alias ?? '', table: null, hasKey: hasKey(token, scope) }]
    if (typeof token !== 'string' || !NAME.test(token)) return []
    const named = values ? !hasColumn(values) : scope.named.get(token)
    if (named === undefined) return [{ alias: alias ?? token, table: token, hasKey: false }]
    return [{ alias: alias ?? token, table: null, hasKey: named }]
  })

/** `unnest(a.ids)` is of other rows, `unnest($1)` is given. */
const hasColumn = (token: Token): boolean =>
  typeof token === 'string' ? /^[a-z_]\w*\./.test(token) : token.some(hasColumn)

const isSourceAt = (query: Group, at: number): boolean => {
  const [token, previous] = [query[at], query[at - 1]]
  if (token === 'lateral' || token === 'only') return false
  const start = previous === 'lateral' || previous === 'only' ? at - 1 : at
  const [before, earlier] = [query[start - 1], query[start - 2]]
  if (at === 0) return startsAsSource(query)
  if (before === 'from') return earlier !== 'distinct'
  if (before === 'using') return typeof token === 'string' || isQuery(token)
  if (before === 'update') return !/^(for|do|no|key)$/.test(String(earlier))
  return before === 'join' || (before === ',' && isInFrom(query, start - 1))
}

/** A part of a statement that begins behind its `from`. */
const startsAsSource = ([, second, third, fourth]: Group): boolean =>
  typeof second === 'string' && /^(where|join|left|cross)$/.test(String(second === 'as' ? fourth : third))

/** After `from`, and before what follows it. */
const isInFrom = (query: Group, at: number): boolean => {
  const words = query.slice(0, at).filter((token) => typeof token === 'string')
  const from = Math.max(words.lastIndexOf('from'), words.lastIndexOf('using'))
  return (
    from !== -1 &&
    !words.slice(from).some((word) => /^(where|order|group|set|returning|limit|select|having|for)$/.test(word))
  )
}

const aliasAt = (query: Group, at: number): string | null => {
  const [token, next] = [query[at], query[at + 1]]
  if (token === 'as') return aliasAt(query, at + 1)
  if (token === 'with' && next === 'ordinality') return aliasAt(query, at + 2)
  return typeof token === 'string' && NAME.test(token) && !NOT_AN_ALIAS.test(token) ? token : null
}

/** A value: of columns, each as `alias.column`, or one that is given. */
type Value = readonly string[]
const GIVEN = '$'

/** Follows what is said to be equal, from the values that are given. */
const givenIn = (query: Group, sources: readonly Source[], scope: Scope): Scope['isGiven'] => {
  const given = new Set([GIVEN])
  const equalities = conditionsIn(query).flatMap((condition) => equalitiesIn(condition, sources, scope))
  for (let count = 0; count !== given.size; ) {
    count = given.size
    for (const [left, right] of equalities) {
      if (left.some((each) => given.has(each))) for (const each of right) given.add(each)
      if (right.some((each) => given.has(each))) for (const each of left) given.add(each)
    }
  }
  return (alias, column) => {
    const source = sources.find((each) => each.alias === alias)
    if (!source) return scope.isGiven(alias, column)
    return source.table === null ? source.hasKey : given.has(`${alias}.${column}`)
  }
}

const CLAUSE_STARTS = new Set(['where', 'on', 'having', 'using'])
const CLAUSE_ENDS = new Set(['select', 'set', 'from', 'join', 'order', 'group', 'returning', 'limit', 'values'])

/** What has to hold: behind each `where` and `on`, and in brackets there. What one of several may do does not. */
const conditionsIn = (query: Group): Group[] => {
  const clauses: Group[] = []
  let isInClause = false
  for (const token of query) {
    if (typeof token === 'string' && CLAUSE_ENDS.has(token)) isInClause = false
    if (typeof token === 'string' && CLAUSE_STARTS.has(token)) {
      isInClause = true
      clauses.push([])
    }
    if (isInClause) clauses.at(-1)?.push(token)
  }
  return clauses.flatMap(withBrackets)
}

const withBrackets = (condition: Group): Group[] => {
  if (condition.includes('or')) return []
  return [
    condition,
    ...condition.flatMap((token) => (typeof token === 'string' || isQuery(token) ? [] : withBrackets(token))),
  ]
}

/** `a = b`, `a in (…)`, `a = any (…)`, the same of `(a, b)`, and `using (a)`. */
const equalitiesIn = (condition: Group, sources: readonly Source[], scope: Scope): [Value, Value][] =>
  condition.flatMap((token, at): [Value, Value][] => {
    const [left, right] = [condition[at - 1], condition[at + 1]]
    if (token === 'using' && Array.isArray(right))
      return right.map((column) => {
        const shared = sources.map((each) => (each.hasKey ? GIVEN : `${each.alias}.${String(column)}`))
        return [shared, shared]
      })
    if (token !== '=' && token !== 'in') return []
    const values = right === 'any' ? listOf(condition[at + 2]) : right
    return (Array.isArray(left) ? itemsOf(left) : [left]).map((item, nth) => [
      valueIn(item, sources, scope),
      valueIn(Array.isArray(values) && !isQuery(values) ? itemsOf(values)[nth] : values, sources, scope),
    ])
  })

/** `any ($1)` or `any (array(select …))` */
const listOf = (token: Token | undefined): Token | undefined =>
  Array.isArray(token) && token[0] === 'array' ? token[1] : token

/** The first token of each item of `a, b`. */
const itemsOf = (group: Group): Token[] => group.filter((_, at) => at === 0 || group[at - 1] === ',')

const valueIn = (token: Token | undefined, sources: readonly Source[], scope: Scope): Value => {
  if (isQuery(token)) return hasKey(token, scope) ? [GIVEN] : []
  if (typeof token !== 'string') return []
  if (/^[$?']/.test(token)) return [GIVEN]
  const [first = '', column] = token.split('.')
  if (column === undefined)
    return sources.flatMap(({ alias, table, hasKey }) => {
      if (table !== null) return [`${alias}.${first}`]
      return hasKey && alias === first ? [GIVEN] : []
    })
  const source = sources.find(({ alias }) => alias === first)
  if (source?.table) return [token]
  return (source ? source.hasKey : scope.isGiven(first, column)) ? [GIVEN] : []
}
