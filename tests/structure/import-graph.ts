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
export const specifiersIn = (file: string, text: string): string[] => {
  const found = new Set<string>()
  const add = (source: { value?: unknown } | null | undefined) => {
    if (typeof source?.value === 'string') found.add(source.value)
  }
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`)
  new Visitor({
    ImportDeclaration: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source }) => add(source),
    ExportAllDeclaration: ({ source }) => add(source),
    ImportExpression: ({ source }) => add(source as { value?: unknown }),
    TSImportType: ({ source }) => add(source),
  }).visit(program)
  return [...found]
}

/** The file of this repository that an import names, or null for a package of the registry. */
const resolveImport = (from: string, specifier: string): string | null => {
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
