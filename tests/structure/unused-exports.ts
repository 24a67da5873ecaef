import { parse, resolveImport, usesIn } from './import-graph.ts'

/**
 * Exports that no other file takes, as `file: name`. A type stays exported beside what is taken when that is declared
 * with it: who calls the function may want to name what it gets.
 */
export const unusedExports = (
  sources: ReadonlyMap<string, string>,
  isFree: (file: string) => boolean = () => false,
): string[] => {
  const taken = new Map<string, Set<string>>()
  const exported = new Map<string, string[]>()
  for (const [file, text] of sources) {
    const parsed = parse(file, text)
    exported.set(file, exportsIn(parsed))
    for (const { specifier, name } of usesIn(file, text, parsed)) {
      const to = resolveImport(file, specifier)
      if (to !== null && name !== null) taken.set(to, (taken.get(to) ?? new Set()).add(name))
    }
  }
  return [...sources].flatMap(([file, text]) => {
    const names = taken.get(file) ?? new Set()
    const own = exported.get(file) ?? []
    if (isFree(file) || names.has('*') || own.every((name) => names.has(name))) return []
    const live = withDeclaredTypes(file, text, names)
    return own.filter((name) => !live.has(name)).map((name) => `${file}: ${name}`)
  })
}

const exportsIn = ({ module }: Parsed): string[] =>
  module.staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ exportName }) => (exportName.kind === 'Name' && exportName.name !== null ? [exportName.name] : []))

type Parsed = ReturnType<typeof parse>
type Node = { type: string; [member: string]: unknown }

/** The names that are taken, and the types of this file that these, or such types, are declared with. */
const withDeclaredTypes = (file: string, text: string, taken: ReadonlySet<string>): Set<string> => {
  const declared = new Map<string, Set<string>>()
  for (const statement of parse(file, text).program.body) {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) continue
    const types = new Set<string>()
    collectTypes(statement.declaration as unknown as Node, types)
    for (const name of namesOf(statement.declaration as unknown as Node)) declared.set(name, types)
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

const namesOf = (declaration: Node): string[] => {
  const declarations = declaration.type === 'VariableDeclaration' ? (declaration.declarations as Node[]) : [declaration]
  return declarations.flatMap(({ id }) => (id as { name?: string } | null)?.name ?? [])
}

/** The types that a declaration is written with, without what stands in the bodies of functions. */
const collectTypes = (node: Node, found: Set<string>): void => {
  const named = node.type === 'TSTypeReference' ? node.typeName : node.type === 'TSTypeQuery' ? node.exprName : null
  const name = (named as { name?: string } | null)?.name
  if (name !== undefined) found.add(name)
  for (const [member, value] of Object.entries(node)) {
    if (member === 'body' && /Function/.test(node.type)) continue
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child === 'object' && child !== null && 'type' in child) collectTypes(child as Node, found)
  }
}
