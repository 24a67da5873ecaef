import type { Term } from '@stoa/cms-model/taxonomies.ts'

export type TermRow = { term: Term; depth: number }

/** The terms as they are shown: each below its parent, siblings by their places. */
export const rowsOf = (terms: readonly Term[]): readonly TermRow[] => {
  const known = new Set(terms.map(({ id }) => id))
  const below = (parentId: string | null, depth: number): TermRow[] =>
    childrenOf(terms, known, parentId).flatMap((term) => [{ term, depth }, ...below(term.id, depth + 1)])
  return below(null, 0)
}

// A parent that did not come along is none: the term would be lost
const childrenOf = (terms: readonly Term[], known: ReadonlySet<string>, parentId: string | null): Term[] =>
  terms
    .filter((term) => (term.parentId !== null && known.has(term.parentId) ? term.parentId : null) === parentId)
    .toSorted((a, b) => a.position - b.position)

/** The terms to choose from, each with those above it: "Europe › Greece". */
export const termOptions = (terms: readonly Term[]): { value: string; label: string }[] => {
  const above: string[] = []
  return rowsOf(terms).map(({ term, depth }) => {
    above.splice(depth, above.length, term.name)
    return { value: term.slug, label: above.join(' › ') }
  })
}

export type Move = { parentId?: string | null; position?: number }
export type Moves = { up?: Move; down?: Move; in?: Move; out?: Move }

/** Where a term can go from its place, one step each. */
export const movesOf = (terms: readonly Term[], term: Term, hierarchical: boolean): Moves => {
  const siblings = childrenOf(terms, new Set(terms.map(({ id }) => id)), term.parentId)
  const index = siblings.findIndex(({ id }) => id === term.id)
  const before = siblings[index - 1]
  const parent = terms.find(({ id }) => id === term.parentId)
  return {
    ...(index > 0 ? { up: { position: index - 1 } } : {}),
    ...(index < siblings.length - 1 ? { down: { position: index + 1 } } : {}),
    ...(hierarchical && before ? { in: { parentId: before.id } } : {}),
    ...(parent ? { out: { parentId: parent.parentId, position: parent.position + 1 } } : {}),
  }
}

/** The term itself and all that are below it: where it cannot be put. */
export const familyOf = (terms: readonly Term[], id: string): ReadonlySet<string> => {
  const family = new Set([id])
  // A parent comes before its children
  for (const { term } of rowsOf(terms)) if (term.parentId !== null && family.has(term.parentId)) family.add(term.id)
  return family
}

/** A name as it can stand in an address. */
export const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63)
