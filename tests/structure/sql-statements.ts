import { Visitor } from 'vite'
import { parse } from './import-graph.ts'

/** A statement, or a part of one that is written by itself; what is filled in when it runs is `?`. */
export type SqlText = {
  /** The declaration that it stands in. */
  readonly within: string
  readonly text: string
}

type Node = { type: string; start: number; [member: string]: unknown }

const QUERY_START = /^\s*\(?\s*(select|insert into|update|delete from|with)\b/i
const HAS_TABLE = /\b(from|join|into|update|using)\s+["\w]/i
/** The part after `from`, written alone. */
const SOURCE_START = /^\s*\w+ (as )?\w+ (where|join|left join|cross join)\b/i

/** Every SQL text of a source file: template literals, strings, and what Kysely builds, in the same form. */
export const sqlTextsIn = (file: string, source: string): SqlText[] => {
  const { program } = parse(file, source)
  const nameAt = (offset: number): string => {
    const statement = program.body.find(({ start, end }) => start <= offset && offset < end)
    return declaredIn(statement as unknown as Node | undefined)
  }
  const found: SqlText[] = []
  const add = (node: Node, text: string): void => {
    if (QUERY_START.test(text) || HAS_TABLE.test(text) || SOURCE_START.test(text))
      found.push({ within: nameAt(node.start), text })
  }
  const inChain = new Set<unknown>()
  new Visitor({
    TemplateLiteral: (node) =>
      add(node as unknown as Node, node.quasis.map(({ value }) => value.cooked ?? '').join(' ? ')),
    Literal: (node) => {
      if (typeof node.value === 'string') add(node as unknown as Node, node.value)
    },
    CallExpression: (node) => {
      if (inChain.has(node)) return
      const calls = callsOf(node as unknown as Node, inChain)
      const text = builtSql(calls)
      if (text !== null) found.push({ within: nameAt(node.start), text })
    },
  }).visit(program)
  return found
}

const declaredIn = (statement: Node | undefined): string => {
  const declaration = (statement?.declaration ?? statement) as Node | undefined
  const [first = declaration] = (declaration?.declarations ?? []) as Node[]
  return (first?.id as { name?: string } | null | undefined)?.name ?? ''
}

type Call = { name: string; args: Node[] }

/** `a.b(x).c(y)`: the calls from the first to the last. */
const callsOf = (node: Node, seen: Set<unknown>): Call[] => {
  const callee = node.callee as Node
  if (node.type !== 'CallExpression' || callee.type !== 'MemberExpression') return []
  seen.add(node)
  const name = (callee.property as { name?: string }).name ?? ''
  return [...callsOf(callee.object as Node, seen), { name, args: node.arguments as Node[] }]
}

const STARTS = new Set(['selectFrom', 'updateTable', 'deleteFrom'])
const JOINS = new Set(['innerJoin', 'leftJoin', 'innerJoinLateral', 'leftJoinLateral'])

/** What a chain of Kysely calls asks for, as SQL that says which tables and which equalities; null if it is no statement. */
const builtSql = (calls: readonly Call[]): string | null => {
  if (!calls.some(({ name }) => STARTS.has(name))) return null
  return calls
    .map(({ name, args }) => {
      if (STARTS.has(name)) return `from ${textsOf(args[0]).join(', ')}`
      if (JOINS.has(name)) return `join ${textOf(args[0]) ?? '?'} on true ${joinConditions(args.slice(1))}`
      if (name === 'using') return `, ${textOf(args[0]) ?? '?'}`
      if (name === 'where' || name === 'whereRef') return conditionOf(args)
      return ''
    })
    .join(' ')
}

const joinConditions = (args: Node[]): string =>
  args.length === 2 ? ` and ${textOf(args[0])} = ${textOf(args[1])}` : args.map(nestedConditions).join(' ')

const conditionOf = (args: Node[]): string => {
  const [left, operator, right] = args
  const column = textOf(left)
  return column === null
    ? args.map(nestedConditions).join(' ')
    : ` and ${column} ${textOf(operator) ?? '?'} ${textOf(right) ?? '?'}`
}

const CONDITIONS = new Set(['where', 'whereRef', 'on', 'onRef', 'eb', 'and'])

/** Conditions inside of a callback, without those of a query of its own. */
const nestedConditions = (node: Node | undefined): string => {
  if (!node) return ''
  if (node.type === 'CallExpression') {
    const callee = node.callee as Node
    const name = ((callee.type === 'MemberExpression' ? callee.property : callee) as { name?: string }).name ?? ''
    const inner = callee.type === 'MemberExpression' ? nestedConditions(callee.object as Node) : ''
    if (callsOf(node, new Set()).some((call) => STARTS.has(call.name))) return ''
    const args = node.arguments as Node[]
    if (CONDITIONS.has(name) && args.length === 3) return `${inner} ${conditionOf(args)}`
    return `${inner} ${args.map(nestedConditions).join(' ')}`
  }
  if (node.type === 'ArrowFunctionExpression') return nestedConditions(node.body as Node)
  if (node.type === 'ArrayExpression') return (node.elements as Node[]).map(nestedConditions).join(' ')
  return ''
}

const textOf = (node: Node | undefined): string | null => {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  return null
}

const textsOf = (node: Node | undefined): string[] =>
  node?.type === 'ArrayExpression'
    ? (node.elements as Node[]).map((each) => textOf(each) ?? '?')
    : [textOf(node) ?? '?']
