import { dirname, join, normalize } from 'node:path'
import { parseSync, Visitor } from 'vite'
import { read } from './tree.ts'

export type Import = { from: string; to: string }

/** Every import of the files that names a file of this repository, read from the syntax tree: of values and of types. */
export const importsOf = (files: readonly string[]): Import[] =>
  files.flatMap((from) =>
    specifiersIn(from, read(from))
      .map((specifier) => resolveImport(from, specifier))
      .filter((to) => to !== null)
      .map((to) => ({ from, to })),
  )

/** What a source text imports, however it is written. */
export const specifiersIn = (file: string, text: string): string[] => [
  ...new Set(usesIn(file, text).map(({ specifier }) => specifier)),
]

/** A name that is taken from another module; `*` is all of it, null a module that is only loaded. */
export type Use = { specifier: string; name: string | null }

/** Every name that a source text takes from other modules. */
export const usesIn = (file: string, text: string, { module } = parse(file, text)): Use[] => {
  const uses: Use[] = []
  for (const { moduleRequest, entries } of module.staticImports) {
    if (entries.length === 0) uses.push({ specifier: moduleRequest.value, name: null })
    for (const { importName } of entries) uses.push({ specifier: moduleRequest.value, name: nameOf(importName) })
  }
  for (const { moduleRequest, importName } of module.staticExports.flatMap(({ entries }) => entries))
    if (moduleRequest) uses.push({ specifier: moduleRequest.value, name: nameOf(importName) })
  return hasDeeperUses(text) ? [...uses, ...deeperUses(file, text)] : uses
}

const nameOf = ({ kind, name }: { kind: string; name: string | null }): string =>
  kind === 'Name' && name !== null ? name : kind === 'Default' ? 'default' : '*'

/** The record of a module does not have these, and few modules do. */
const hasDeeperUses = (text: string): boolean => /\bimport\(|\bdeclare module\b/.test(text)

/** Imports at run time and inside types, and what is added to the interfaces of another module. */
const deeperUses = (file: string, text: string): Use[] => {
  const uses: Use[] = []
  new Visitor({
    ImportExpression: ({ source }) => {
      if (source.type === 'Literal' && typeof source.value === 'string')
        uses.push({ specifier: source.value, name: '*' })
    },
    TSImportType: ({ source, qualifier }) => {
      uses.push({ specifier: source.value, name: qualifier?.type === 'Identifier' ? qualifier.name : '*' })
    },
    TSModuleDeclaration: ({ id, body }) => {
      if (id.type !== 'Literal' || body?.type !== 'TSModuleBlock') return
      for (const member of body.body)
        if (member.type === 'TSInterfaceDeclaration') uses.push({ specifier: id.value, name: member.id.name })
    },
  }).visit(parse(file, text).program)
  return uses
}

export const parse = (file: string, text: string) => {
  const parsed = parseSync(file, text)
  if (parsed.errors.length > 0) throw new Error(`${file} cannot be read: ${parsed.errors[0]?.message}`)
  return parsed
}

/** The file of this repository that an import names, or null for a package of the registry. */
export const resolveImport = (from: string, specifier: string): string | null => {
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier))
  const own = /^@stoa\/([\w-]+)\/(.+)$/.exec(specifier)
  if (!own) return null
  const [, name = '', path = ''] = own
  if (name === 'tests') return `tests/${path}`
  const folder = name === 'cms' || name === 'mail' ? 'services' : 'packages'
  return `${folder}/${name}/src/${path}`
}

/** Groups of places that reach each other in both directions (Tarjan's strongly connected components), sorted. */
export const circlesAmong = (imports: readonly Import[], placeOf: (file: string) => string | null): string[][] => {
  const graph = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    const [a, b] = [placeOf(from), placeOf(to)]
    if (a === null || b === null || a === b) continue
    graph.set(a, (graph.get(a) ?? new Set()).add(b))
  }
  const numbers = new Map<string, number>()
  const lowest = new Map<string, number>()
  const path: string[] = []
  const circles: string[][] = []
  const visit = (place: string): number => {
    const number = numbers.size
    numbers.set(place, number)
    lowest.set(place, number)
    path.push(place)
    for (const next of graph.get(place) ?? []) {
      const reached = numbers.has(next) ? (path.includes(next) ? (numbers.get(next) ?? 0) : number) : visit(next)
      lowest.set(place, Math.min(lowest.get(place) ?? number, reached))
    }
    const low = lowest.get(place) ?? number
    if (low === number) {
      const members = path.splice(path.indexOf(place))
      if (members.length > 1) circles.push(members.sort())
    }
    return low
  }
  for (const place of graph.keys()) if (!numbers.has(place)) visit(place)
  return circles.sort((a, b) => (a[0] ?? '').localeCompare(b[0] ?? ''))
}
