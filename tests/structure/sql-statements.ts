import { Visitor } from 'vite'
import { parse } from './import-graph.ts'

/** A statement, or a part of one that is written by itself; what is filled in when it runs is `?`. */
export type SqlText = {
  /** The declaration that it stands in. */
  readonly within: string
  readonly text: string
}

type Node = { type: string; start: number; end: number; [member: string]: unknown }

/** What is known of a file while its statements are read. */
type Source = {
  /** Texts that the module names. */
  readonly named: ReadonlyMap<string, Node>
  /** Texts and calls that were read as a part of others. */
  readonly parts: Set<Node>
}

const QUERY_START = /^\s*\(?\s*(select|insert into|update|delete from|with)\b/i
const HAS_TABLE = /\b(from|join|into|update|using)\s+["\w]/i
/** The part after `from`, written alone. */
const SOURCE_START = /^\s*\w+ (as )?\w+ (where|join|left join|cross join)\b/i

/**
 * Every SQL text of a source file: template literals, strings, and what Kysely builds, in the same form. A text of the module
 * that others name is read with them, and so is a query inside of another.
 */
export const sqlTextsIn = (file: string, text: string): SqlText[] => {
  const { program } = parse(file, text)
  const body = program.body as unknown as Node[]
  const texts: Node[] = []
  const calls: Node[] = []
  const addText = (node: unknown): unknown => texts.push(node as Node)
  new Visitor({
    TemplateLiteral: addText,
    Literal: addText,
    CallExpression: (node) => calls.push(node as unknown as Node),
  }).visit(program)
  const source: Source = { named: new Map(body.flatMap(namedText)), parts: new Set() }
  const built = calls.map((node) => ({ node, sql: source.parts.has(node) ? null : builtSql(node, source) }))
  const written = texts.map((node) => ({ node, sql: writtenSql(node, source) }))
  const nameAt = (offset: number): string =>
    declarationIn(body.find(({ start, end }) => start <= offset && offset < end))?.name ?? ''
  return [...built, ...written.filter(({ node, sql }) => isSql(sql) && !source.parts.has(node))].flatMap(
    ({ node, sql }) => (sql === null ? [] : [{ within: nameAt(node.start), text: sql }]),
  )
}

const isSql = (text: string | null): text is string =>
  text !== null && (QUERY_START.test(text) || HAS_TABLE.test(text) || SOURCE_START.test(text))

const declarationIn = (statement: Node | undefined): { name: string; value: Node | null } => {
  const declaration = (statement?.declaration ?? statement) as Node | undefined
  const [first = declaration] = (declaration?.declarations ?? []) as Node[]
  return {
    name: (first?.id as { name?: string } | null | undefined)?.name ?? '',
    value: (first?.init ?? null) as Node | null,
  }
}

/** `const A = …` and `const a = () => …` with a text, if only this module has it. */
const namedText = (statement: Node): [string, Node][] => {
  if (statement.type !== 'VariableDeclaration') return []
  const { name, value } = declarationIn(statement)
  const text = value?.type === 'ArrowFunctionExpression' ? (value.body as Node) : value
  return text?.type === 'TemplateLiteral' || text?.type === 'Literal' ? [[name, text]] : []
}

/** A text with those that it names filled in. */
const writtenSql = (node: Node, source: Source): string | null => {
  if (node.type !== 'TemplateLiteral') return textOf(node)
  const values = (node.expressions as Node[]).map((value) => {
    const { type, name } = value.type === 'CallExpression' ? (value.callee as Node) : value
    const part = type === 'Identifier' ? source.named.get(String(name)) : undefined
    if (part) source.parts.add(part)
    return part && writtenSql(part, source)
  })
  const quasis = node.quasis as { value: { cooked: string } }[]
  return quasis
    .map(({ value }, nth) => (nth === 0 ? value.cooked : `${values[nth - 1] ?? ' ? '}${value.cooked}`))
    .join('')
}

type Call = { node: Node; name: string; args: Node[] }

/** `a.b(x).c(y)`: the calls from the first to the last. */
const callsOf = (node: Node): Call[] => {
  if (node.type !== 'CallExpression') return []
  const callee = node.callee as Node
  const isMember = callee.type === 'MemberExpression'
  const name = ((isMember ? callee.property : callee) as { name?: string }).name ?? ''
  return [...(isMember ? callsOf(callee.object as Node) : []), { node, name, args: node.arguments as Node[] }]
}

const STARTS = new Set(['selectFrom', 'updateTable', 'deleteFrom'])
const JOINS = new Set(['innerJoin', 'leftJoin', 'innerJoinLateral', 'leftJoinLateral'])

/** What a chain of Kysely calls asks for, as SQL that says which tables and which equalities; null if it is no statement. */
const builtSql = (node: Node, source: Source): string | null => {
  const calls = callsOf(node)
  if (!calls.some(({ name }) => STARTS.has(name))) return null
  let [select, from, where] = ['', '', '']
  for (const { node: call, name, args } of calls) {
    const [first, ...more] = args
    source.parts.add(call)
    if (STARTS.has(name)) from += `from ${namesIn(first).join(', ')}`
    else if (JOINS.has(name)) from += ` join ${textOf(first) ?? partsOf(first, source)} on ${joinOf(more, source)}`
    else if (name === 'where' || name === 'whereRef') where += conditionOf(name, args, source)
    else select += args.map((each) => partsOf(each, source)).join(' ')
  }
  return `select ${select} ${from} where true ${where}`
}

const joinOf = (args: Node[], source: Source): string =>
  args.length === 2
    ? `${textOf(args[0])} = ${textOf(args[1])}`
    : args.map((each) => `true ${partsOf(each, source)}`).join(' ')

const CONDITIONS = new Set(['where', 'whereRef', 'on', 'onRef', 'eb'])

const conditionOf = (name: string, args: Node[], source: Source): string => {
  const [left, operator, right] = args
  const column = textOf(left)
  if (column === null) return args.map((each) => partsOf(each, source)).join(' ')
  const isValue = !name.endsWith('Ref') && textOf(right) !== null
  return ` and ${column} ${textOf(operator)} ${isValue ? "''" : (textOf(right) ?? (partsOf(right, source) || '?'))}`
}

/** The queries and conditions that an argument builds, in a callback or not. */
const partsOf = (node: Node | undefined, source: Source): string => {
  const all = (nodes: unknown): string => (nodes as Node[]).map((each) => partsOf(each, source)).join('')
  switch (node?.type) {
    case 'ArrowFunctionExpression':
      return partsOf(node.body as Node, source)
    case 'ArrayExpression':
      return all(node.elements)
    case 'TaggedTemplateExpression':
      source.parts.add(node.quasi as Node)
      return ` (${writtenSql(node.quasi as Node, source)})`
    case 'CallExpression':
      return partsOfCall(node, source)
    default:
      return ''
  }
}

const partsOfCall = (node: Node, source: Source): string => {
  const query = builtSql(node, source)
  const calls = callsOf(node)
  if (query !== null) {
    const named = calls.find(({ name }) => name === 'as')
    return ` (${query}) ${named ? `as ${textOf(named.args[0])}` : ''}`
  }
  return calls
    .map(({ name, args }) => {
      if (CONDITIONS.has(name) && args.length === 3) return conditionOf(name, args, source)
      if (name === 'ref') return textOf(args[0]) ?? '?'
      const inner = args.map((each) => partsOf(each, source)).join(' ')
      return name === 'or' ? ` and (${inner} or false)` : inner
    })
    .join('')
}

const textOf = (node: Node | undefined): string | null =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null

const namesIn = (node: Node | undefined): string[] =>
  node?.type === 'ArrayExpression'
    ? (node.elements as Node[]).map((each) => textOf(each) ?? '?')
    : [textOf(node) ?? '?']
