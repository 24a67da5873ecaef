import { type ESTree, parseSync, Visitor } from 'rolldown/utils'

/** What a program shows of itself without being run. */
export type Outline = {
  error: string | null
  imports: string[]
  /**
   * Member names of an exported object, by the name of the export; null where they can't be known without running it.
   */
  handlers: Map<string, string[] | null>
  /** Names of functions that it calls or constructs, and that nothing in it declares. */
  calls: Set<string>
}

export const outlineOf = (file: string, code: string): Outline => {
  const { program, errors } = parseSync(file, code)
  const outline: Outline = { error: errors[0]?.message ?? null, imports: [], handlers: new Map(), calls: new Set() }
  if (outline.error !== null) return outline
  const variables = new Map<string, ESTree.Expression | null>()
  const declared = new Set<string>()
  const exported = new Map<string, string>()
  const add = (source: { value?: unknown } | null) => {
    if (typeof source?.value === 'string') outline.imports.push(source.value)
  }
  const callee = (node: ESTree.Expression | ESTree.Super) => {
    if (node.type === 'Identifier') outline.calls.add(node.name)
    if (node.type === 'MemberExpression' && node.object.type === 'Identifier') outline.calls.add(node.object.name)
  }
  new Visitor({
    ImportDeclaration: ({ source, specifiers }) => {
      add(source)
      for (const { local } of specifiers) declared.add(local.name)
    },
    ImportExpression: ({ source }) => add(source.type === 'Literal' ? source : { value: 'a computed name' }),
    ExportAllDeclaration: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source, specifiers, declaration }) => {
      add(source)
      for (const { local, exported: name } of specifiers) exported.set(nameOf(name), nameOf(local))
      if (declaration?.type === 'VariableDeclaration')
        for (const { id } of declaration.declarations) if (id.type === 'Identifier') exported.set(id.name, id.name)
    },
    VariableDeclarator: ({ id, init }) => {
      if (id.type !== 'Identifier') return
      declared.add(id.name)
      variables.set(id.name, init)
    },
    FunctionDeclaration: ({ id }) => void (id && declared.add(id.name)),
    ClassDeclaration: ({ id }) => void (id && declared.add(id.name)),
    CallExpression: ({ callee: node }) => callee(node),
    NewExpression: ({ callee: node }) => callee(node),
  }).visit(program)
  for (const [name, local] of exported) outline.handlers.set(name, keysOf(variables.get(local) ?? null))
  for (const name of declared) outline.calls.delete(name)
  return outline
}

const nameOf = (node: ESTree.ModuleExportName): string => ('name' in node ? node.name : node.value)

const keysOf = (node: ESTree.Expression | null): string[] | null => {
  if (node?.type !== 'ObjectExpression') return null
  const keys = node.properties.map((property) => {
    if (property.type !== 'Property' || property.computed) return null
    if (property.key.type === 'Identifier') return property.key.name
    return property.key.type === 'Literal' ? String(property.key.value) : null
  })
  return keys.every((key) => key !== null) ? keys : null
}
