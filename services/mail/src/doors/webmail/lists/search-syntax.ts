/** What somebody typed into a search box, before it is known what its parts mean. */
export type SearchNode =
  | { readonly kind: 'and' | 'or'; readonly nodes: readonly SearchNode[] }
  | { readonly kind: 'not'; readonly node: SearchNode }
  | SearchTerm

/** A word or a phrase, with the operator before it: `from:ann`. */
export type SearchTerm = {
  readonly kind: 'term'
  readonly operator: string | null
  readonly text: string
  readonly isQuoted: boolean
}

/** Deeper brackets are read as if they were not there. */
const MAX_DEPTH = 8
const MAX_TOKENS = 60

type Token = { kind: 'open' | 'close' | 'or' } | { kind: 'not' } | SearchTerm

/**
 * Reads `from:ann (report OR "final draft") -is:read`. Whatever is typed means something: an unclosed quote or bracket
 * ends with the text.
 */
export const parseSearch = (text: string): SearchNode => {
  const tokens = [...tokensOf(text)].slice(0, MAX_TOKENS)
  const nodes: SearchNode[] = []
  const reader: Reader = { tokens, at: 0 }
  // A bracket that closes nothing ends one reading; the next one goes on behind it.
  for (; reader.at < tokens.length; reader.at += 1) nodes.push(readAny(reader, 0))
  return joined('and', nodes)
}

type Reader = { readonly tokens: readonly Token[]; at: number }

/** Alternatives: `a b OR c` is `a`, and one of the others, as people know it. */
const readAny = (reader: Reader, depth: number): SearchNode => {
  const all: SearchNode[] = []
  for (;;) {
    const node = readOne(reader, depth)
    if (!node) return joined('and', all)
    const choices = [node]
    while (reader.tokens[reader.at]?.kind === 'or') {
      reader.at += 1
      const next = readOne(reader, depth)
      if (next) choices.push(next)
    }
    all.push(joined('or', choices))
  }
}

const readOne = (reader: Reader, depth: number): SearchNode | null => {
  const token = reader.tokens[reader.at]
  if (!token || token.kind === 'close') return null
  reader.at += 1
  if (token.kind === 'term') return token
  if (token.kind === 'or') return readOne(reader, depth)
  if (token.kind === 'not') {
    const node = readOne(reader, depth)
    return node && { kind: 'not', node }
  }
  if (depth >= MAX_DEPTH) return readOne(reader, depth)
  const inner = readAny(reader, depth + 1)
  reader.at += 1
  return inner
}

const joined = (kind: 'and' | 'or', nodes: readonly SearchNode[]): SearchNode => {
  const [only] = nodes
  return nodes.length === 1 && only ? only : { kind, nodes }
}

/** Blank, a minus or bracket, `operator:` with what follows, a phrase in quotes, or a word; in this order. */
const TOKEN =
  /\s+|(?<mark>[()])|(?<not>-(?=[^\s)-]))|(?:(?<operator>[A-Za-z_]{1,20}):(?=\S))?(?:"(?<phrase>[^"]*)(?:"|$)|(?<word>[^\s()"]+|"))/gu

function* tokensOf(text: string): Generator<Token> {
  for (const { groups } of text.matchAll(TOKEN)) {
    if (groups?.mark) yield { kind: groups.mark === '(' ? 'open' : 'close' }
    else if (groups?.not) yield { kind: 'not' }
    else if (groups?.word === 'OR' && !groups.operator) yield { kind: 'or' }
    else if (groups?.word !== undefined || groups?.phrase !== undefined)
      yield {
        kind: 'term',
        operator: groups.operator?.toLowerCase() ?? null,
        text: (groups.word ?? groups.phrase ?? '').trim(),
        isQuoted: groups.word === undefined,
      }
  }
}
