import { parse, resolveImport, usesIn } from './import-graph.ts'

type Kinds = {
  /** Whatever these files export is fine. */
  isFree?: (file: string) => boolean
  /** That such a file takes an export shows that it works, not that it is needed. */
  isTest?: (file: string) => boolean
}

/**
 * Exports that no other file takes, as `file: name`, and those that only tests take and their own file does not need
 * either. A type stays exported beside what is taken when that is declared with it: who calls the function may want to
 * name what it gets.
 */
export const unusedExports = (
  sources: ReadonlyMap<string, string>,
  { isFree = () => false, isTest = () => false }: Kinds = {},
): string[] => {
  const taken = new Map<string, Set<string>>()
  const needed = new Map<string, Set<string>>()
  const exported = new Map<string, string[]>()
  for (const [file, text] of sources) {
    const parsed = parse(file, text)
    exported.set(file, exportsIn(parsed))
    for (const { specifier, name } of usesIn(file, text, parsed)) {
      const to = resolveImport(file, specifier)
      if (to === null || name === null) continue
      note(taken, to, name)
      if (!isTest(file) || isTest(to)) note(needed, to, name)
    }
  }
  return [...sources].flatMap(([file, text]) => {
    const own = exported.get(file) ?? []
    const byAny = taken.get(file) ?? new Set()
    const byCode = needed.get(file) ?? new Set()
    if (isFree(file) || byCode.has('*') || own.every((name) => byCode.has(name))) return []
    const statements = parse(file, text).program.body as unknown as Node[]
    const live = withDeclaredTypes(statements, byAny.has('*') ? new Set(own) : byAny)
    const used = usedInside(statements)
    const isDead = (name: string) => !live.has(name) || !(byCode.has(name) || used.has(name))
    return own.filter((name) => isDead(name)).map((name) => `${file}: ${name}`)
  })
}

const note = (names: Map<string, Set<string>>, file: string, name: string): void => {
  names.set(file, (names.get(file) ?? new Set()).add(name))
}

const exportsIn = ({ module }: Parsed): string[] =>
  module.staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ exportName }) => (exportName.kind === 'Name' && exportName.name !== null ? [exportName.name] : []))

type Parsed = ReturnType<typeof parse>
type Node = { type: string; [member: string]: unknown }

/** The names that are taken, and the types of this file that these, or such types, are declared with. */
const withDeclaredTypes = (statements: readonly Node[], taken: ReadonlySet<string>): Set<string> => {
  const declared = new Map<string, Set<string>>()
  for (const statement of statements) {
    const declaration = statement.declaration as Node | undefined
    if (statement.type !== 'ExportNamedDeclaration' || !declaration) continue
    const types = new Set<string>()
    collectTypes(declaration, types)
    for (const name of namesOf(declaration)) declared.set(name, types)
  }
  const live = new Set<string>()
  const add = (name: string): void => {
    if (live.has(name)) return
    live.add(name)
    for (const type of declared.get(name) ?? []) add(type)
  }
  for (const name of taken) add(name)
  return live
}

/** The names that a file mentions anywhere but in their own declaration; passing a name on is no mention. */
const usedInside = (statements: readonly Node[]): Set<string> => {
  const used = new Set<string>()
  for (const statement of statements) {
    const declaration = (statement.declaration as Node | null | undefined) ?? statement
    if (/^(Import|Export)/.test(declaration.type)) continue
    const own = namesOf(declaration)
    const mentioned = new Set<string>()
    collectMentions(declaration, mentioned)
    for (const name of mentioned) if (!own.includes(name)) used.add(name)
  }
  return used
}

const namesOf = (declaration: Node): string[] => {
  const declarations = declaration.type === 'VariableDeclaration' ? (declaration.declarations as Node[]) : [declaration]
  return declarations.flatMap(({ id }) => (id as { name?: string } | null)?.name ?? [])
}

/** The types that a declaration is written with, without what stands in the bodies of functions. */
const collectTypes = (node: Node, found: Set<string>): void => {
  const named = node.type === 'TSTypeReference' ? node.typeName : node.type === 'TSTypeQuery' ? node.exprName : null
  const name = (named as { name?: string } | null)?.name
  if (name !== undefined) found.add(name)
  for (const [member, child] of childrenOf(node))
    if (member !== 'body' || !/Function/.test(node.type)) collectTypes(child, found)
}

/** Names, without those of members: `a` and `b` of `a.c` and `{ c: b }`. */
const collectMentions = (node: Node, found: Set<string>): void => {
  if (/^(JSX)?Identifier$/.test(node.type)) found.add(node.name as string)
  for (const [member, child] of childrenOf(node))
    if (node.computed || !/^(key|property)$/.test(member)) collectMentions(child, found)
}

const childrenOf = (node: Node): [string, Node][] =>
  Object.entries(node).flatMap(([member, value]) =>
    [value].flat().flatMap((child): [string, Node][] => (isNode(child) ? [[member, child]] : [])),
  )

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
