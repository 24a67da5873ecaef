import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import { type EntryTerm, isForType, type TermReference } from '@stoa/cms-model/taxonomies.ts'
import type { CmsDb, CmsTx } from '../../context.ts'
import { listKnownTerms, listTermsOfEntries, replaceEntryTerms } from './queries.ts'

/** The IDs of terms, each once; invalid ones are reported by their dot path. */
export type ResolvedTerms = { termIds: string[]; problems: FieldProblem[] }

/** Finds terms for an entry of this type, in one statement. Keys of problems: `terms.<index>.taxonomy` and `.slug`. */
export const resolveTerms = async (
  db: CmsDb,
  type: string,
  references: readonly TermReference[],
): Promise<ResolvedTerms> => {
  const taxonomies = new Set(references.map(({ taxonomy }) => taxonomy))
  const slugs = new Set(references.map(({ slug }) => slug))
  const known = await lookUp(db, [...taxonomies], [...slugs])
  return collect(
    references.map(({ taxonomy, slug }, index) => {
      const refused = known.refuses(taxonomy, type)
      if (refused) return { key: `terms.${index}.taxonomy`, message: refused }
      return known.find(taxonomy, slug) ?? { key: `terms.${index}.slug`, message: noTerm(taxonomy, slug) }
    }),
  )
}

/** As `resolveTerms`, for terms of one taxonomy by their slugs. Keys of problems: `taxonomy` and `terms.<index>`. */
export const resolveTermsOf = async (
  db: CmsDb,
  type: string,
  taxonomy: string,
  slugs: readonly string[],
): Promise<ResolvedTerms> => {
  const known = await lookUp(db, [taxonomy], [...new Set(slugs)])
  const refused = known.refuses(taxonomy, type)
  if (refused) return { termIds: [], problems: [{ key: 'taxonomy', message: refused }] }
  return collect(
    slugs.map(
      (slug, index) => known.find(taxonomy, slug) ?? { key: `terms.${index}`, message: noTerm(taxonomy, slug) },
    ),
  )
}

/** Gives the entry exactly these terms; returns whether that changed anything. */
export const setEntryTerms = async (tx: CmsTx, entryId: string, termIds: readonly string[]): Promise<boolean> =>
  (await replaceEntryTerms(tx, entryId, termIds, null)) > 0

/** Gives the entry exactly these terms of that taxonomy; returns whether that changed anything. */
export const setEntryTermsOf = async (
  tx: CmsTx,
  entryId: string,
  taxonomy: string,
  termIds: readonly string[],
): Promise<boolean> => (await replaceEntryTerms(tx, entryId, termIds, taxonomy)) > 0

/** The terms of each of these entries, by taxonomy and place, in one statement; an entry without any has none. */
export const termsOfEntries = async (db: CmsDb, entryIds: readonly string[]): Promise<Map<string, EntryTerm[]>> => {
  const terms = new Map<string, EntryTerm[]>(entryIds.map((id) => [id, []]))
  for (const { entryId, id, slug, name, taxonomy } of await listTermsOfEntries(db, entryIds))
    terms.get(entryId)?.push({ id, slug, name, taxonomy })
  return terms
}

type Known = {
  /** Why entries of this type cannot have terms of that taxonomy; null when they can. */
  refuses(taxonomy: string, type: string): string | null
  find(taxonomy: string, slug: string): { id: string } | undefined
}

const lookUp = async (db: CmsDb, taxonomies: readonly string[], slugs: readonly string[]): Promise<Known> => {
  const rows = taxonomies.length === 0 ? [] : await listKnownTerms(db, taxonomies, slugs)
  const types = new Map(rows.map((row) => [row.taxonomy, row.types]))
  const ids = new Map(rows.flatMap(({ taxonomy, slug, id }) => (id === null ? [] : [[`${taxonomy}:${slug}`, { id }]])))
  return {
    refuses: (taxonomy, type) => {
      const forTypes = types.get(taxonomy)
      if (!forTypes) return `there is no taxonomy "${taxonomy}"`
      return isForType(forTypes, type) ? null : `"${taxonomy}" can't be used with entries of type "${type}"`
    },
    find: (taxonomy, slug) => ids.get(`${taxonomy}:${slug}`),
  }
}

const noTerm = (taxonomy: string, slug: string): string => `"${taxonomy}" has no term "${slug}"`

const collect = (results: readonly ({ id: string } | FieldProblem)[]): ResolvedTerms => ({
  termIds: [...new Set(results.flatMap((result) => ('id' in result ? [result.id] : [])))],
  problems: results.flatMap((result) => ('id' in result ? [] : [result])),
})
