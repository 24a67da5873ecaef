import { readFilter } from '@stoa/cms-model/delivery/filter.ts'
import type { Known } from '@stoa/cms-model/delivery/operands.ts'
import { readSortKeys } from '@stoa/cms-model/delivery/query.ts'
import type { CreateEntryInput, Entry, EntryItem } from '@stoa/cms-model/entries.ts'
import { defaultData } from '@stoa/cms-model/fields/values.ts'
import { type List, toList } from '@stoa/cms-model/lists.ts'
import type { Settings } from '@stoa/cms-model/settings.ts'
import { isConflict } from '@stoa/kit/db/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsDb, CmsTx, Ctx } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import { requirePermission } from '../../people/access/access.ts'
import { accountOf } from '../../principal.ts'
import { WORKING_COPY } from '../filters/scope.ts'
import { MAX_UNINDEXED, unindexedIn } from '../filters/unindexed.ts'
import { askFor } from '../search/search.ts'
import { holdSettingsInUse, readSettings } from '../settings/settings.ts'
import { resolveTerms, setEntryTerms, termsOfEntries } from '../taxonomies/entry-terms.ts'
import { type ContentType, findType, holdType, listAllTypes, requireType } from '../types/types.ts'
import { recordEntryChange } from './changes.ts'
import { mergeSent } from './content.ts'
import { asDeclared } from './layout.ts'
import {
  findEntry,
  findPerson,
  hasEntries,
  insertEntry,
  listRelatives,
  lockEntry,
  lockName,
  type NewEntry,
} from './queries.ts'
import { countEntries, type EntryListFilter, listEntryRows, type TermChoice } from './queries-list.ts'
import type { Person, StoredEntry } from './record.ts'
import { requireWrite } from './rights.ts'
import { type EntriesQuery, entryItemJson, entryJson, type Shown } from './schema.ts'
import { syncSides } from './sides.ts'
import { claimSlug, deriveSlug } from './slugs.ts'
import { addRevision, refuseSlugConflict, TRANSLATED } from './write.ts'

export { publicMatch } from './queries-resync.ts'

/** One entry: its working copy, and what the public sees. What is in the trash is shown to those who may restore it. */
export const getEntry = async (ctx: Ctx, id: string): Promise<Entry> => {
  const entry = (await findEntry(ctx.db, id)) ?? fail('NOT_FOUND')
  if (entry.deletedAt !== null) requireWrite(ctx, entry)
  return showEntry(ctx, ctx.db, entry)
}

/** The answer to whoever read or changed an entry. */
export const showEntry = async (ctx: Ctx, db: CmsDb, entry: StoredEntry): Promise<Entry> =>
  entryJson(ctx, {
    entry,
    type: await requireType(db, entry.type),
    settings: await readSettings(db),
    terms: (await termsOfEntries(db, [entry.id])).get(entry.id) ?? [],
  })

/** A constant number of statements, however many entries and types. */
export const listEntries = async (ctx: Ctx, query: EntriesQuery): Promise<List<EntryItem>> => {
  if (query.type !== undefined && (await findType(ctx.db, query.type)) === null)
    failFields([{ key: 'type', message: 'is not a content type' }])
  const filter: EntryListFilter = {
    ...query,
    ...(await readOwn(ctx, query)),
    asked: query.q ? await askFor(ctx.db, query.q) : null,
    terms: query.term === undefined ? [] : readTerms(query.term),
    authorId: query.author === 'me' ? accountOf(ctx).id : query.author,
  }
  const { entries, total } = await listEntryRows(ctx.db, filter)
  const shown = await withSurroundings(ctx.db, entries)
  return toList(
    shown.map((item) => entryItemJson(ctx, item)),
    total,
    query,
  )
}

type Own = Pick<EntryListFilter, 'filter' | 'sort' | 'scope'>

/** What is asked of the fields of the type: everybody who reads entries here sees hidden ones, too. */
const readOwn = async (ctx: Ctx, { type: name, filters, sort: order }: EntriesQuery): Promise<Own> => {
  const types = name === undefined ? new Map<string, never>() : (await ctx.delivery.site.read()).types
  const type = types.get(name ?? '')
  const known: Known = {
    fields: type?.fields ?? [],
    fieldsOf: (other) => types.get(other)?.fields ?? null,
    seen: 'all',
  }
  const { filter, problems } = readFilter(filters, known)
  const { sort, problem } = readSortKeys(order, known)
  const refused = [...problems, ...(problem === null ? [] : [{ key: 'sort', message: problem }])]
  if (refused.length > 0) failFields(refused)
  const slow = unindexedIn({ filter, sort })
  if (name !== undefined && slow.length > 0 && (await countEntries(ctx.db, name, MAX_UNINDEXED + 1)) > MAX_UNINDEXED)
    failFields(slow)
  const misfitsOf = (other: string) => types.get(other)?.misfits
  return {
    filter,
    sort,
    scope: { copy: WORKING_COPY, misfits: type?.misfits ?? null, misfitsOf, isRoot: true, item: null },
  }
}

/** The entries with their types, terms and the settings: three statements. */
export const withSurroundings = async (db: CmsDb, entries: readonly StoredEntry[]): Promise<Shown[]> => {
  const settings = await readSettings(db)
  const types = new Map((await listAllTypes(db)).map((type) => [type.name, type]))
  const terms = await termsOfEntries(
    db,
    entries.map(({ id }) => id),
  )
  return entries.flatMap((entry) => {
    const type = types.get(entry.type)
    // A type can be removed between two statements, and its entries with it.
    return type ? [{ entry, type, settings, terms: terms.get(entry.id) ?? [] }] : []
  })
}

/** A new draft. Its slug is made of the title unless one was given. */
export const createEntry = async (ctx: Ctx, input: CreateEntryInput): Promise<Entry> => {
  const run = () =>
    ctx.tx(async (tx) => {
      const type = (await findType(tx, input.type)) ?? failFields([{ key: 'type', message: 'is not a content type' }])
      const settings = await holdSettingsInUse(tx)
      const author = await authorFor(ctx, tx, input.authorId)
      const held = await holdType(tx, type.name)
      const id = newId()
      const locale = localeFor(settings, input.locale)
      const translationOf = await originFor(tx, held, { originId: input.translationOf, locale })
      const { data, problems } = await mergeSent(ctx, tx, held, {
        stored: asDeclared(ctx, held, defaultData(held.fields)),
        sent: input.data,
      })
      const terms = await resolveTerms(tx, held.name, input.terms)
      if (problems.length > 0 || terms.problems.length > 0) failFields([...problems, ...terms.problems])
      const slug = await slugForNew(tx, held, { id, locale, title: input.title, given: input.slug })
      return addEntry(ctx, tx, {
        entry: { id, type: held.name, title: input.title, slug, data, locale, translationOf, authorId: author.id },
        type: held,
        settings,
        termIds: terms.termIds,
      })
    })
  // Somebody gave the very slug that was just derived: derive the next one.
  return run().catch((raised: unknown) =>
    input.slug === undefined && isConflict(causeOf(raised), 'entry_slug_key') ? run() : Promise.reject(raised),
  )
}

type Addition = { entry: NewEntry; type: ContentType; settings: Settings; termIds: readonly string[] }

/** Stores a new draft with all that belongs to it, and tells of it. */
export const addEntry = async (ctx: Ctx, tx: CmsTx, { entry, type, settings, termIds }: Addition): Promise<Entry> => {
  await insertEntry(tx, entry, { at: ctx.now(), by: accountOf(ctx).id }).catch((raised: unknown) =>
    refuseSlugConflict(raised, entry.slug),
  )
  if (termIds.length > 0) await setEntryTerms(tx, entry.id, termIds)
  const after = (await findEntry(tx, entry.id)) ?? fail('NOT_FOUND')
  await syncSides(tx, type, after)
  const changed = ['title', 'slug', ...Object.keys(entry.data).map((key) => `data.${key}`)]
  await addRevision(ctx, tx, after, { reason: 'save', changed, limit: 0 })
  await recordEntryChange(ctx, tx, { type, settings }, { before: null, after, names: ['entry.created'], changed })
  return showEntry(ctx, tx, after)
}

/** The slug of a new entry. A single kind has its type's name, and room for one entry. */
export const slugForNew = async (
  tx: CmsTx,
  type: ContentType,
  { id, locale, title, given }: { id: string; locale: string; title: string; given?: string | undefined },
): Promise<string> => {
  const place = { type: type.name, id }
  if (type.kind === 'single') await refuseSecond(tx, type)
  if (given !== undefined) return claimSlug(tx, given, place)
  return deriveSlug(tx, type.kind === 'single' ? type.name : title, locale, place)
}

/** A single kind has one entry; whoever makes one at this moment comes first or second. */
export const refuseSecond = async (tx: CmsTx, type: ContentType): Promise<void> => {
  await lockName(tx, `single ${type.name}`)
  if (await hasEntries(tx, type.name)) fail('SINGLE_EXISTS')
}

export const localeFor = ({ locale, locales }: Settings, given: string | undefined): string => {
  if (given === undefined) return locale
  if (!locales.includes(given)) failFields([{ key: 'locale', message: `must be one of ${locales.join(', ')}` }])
  return given
}

/** The author of an entry: oneself, or whom someone with a right to any entry names. */
export const authorFor = async (ctx: Ctx, db: CmsDb, authorId: string | undefined): Promise<Person> => {
  const { id, name } = accountOf(ctx)
  if (authorId === undefined || authorId === id) return { id, name }
  if (requirePermission(ctx.principal, 'content.write') !== 'any')
    fail('FORBIDDEN', { message: 'You can only write as yourself', details: { permission: 'content.write' } })
  return (await findPerson(db, authorId)) ?? failFields([{ key: 'authorId', message: 'is not a person of this site' }])
}

/** The origin of a translation: a translation of a translation belongs to the same origin. */
const originFor = async (
  tx: CmsTx,
  type: ContentType,
  { originId, locale }: { originId: string | null; locale: string },
): Promise<string | null> => {
  if (originId === null) return null
  if (type.kind === 'single') fail('SINGLE_EXISTS')
  const named = await lockEntry(tx, originId)
  if (named === null || named.deletedAt !== null || named.type !== type.name)
    return failFields([{ key: 'translationOf', message: `must be an entry of type "${type.name}"` }])
  const origin = named.translationOf ?? named.id
  if (origin !== named.id) await lockEntry(tx, origin)
  await refuseTranslated(tx, { origin, locale, id: null })
  return origin
}

/** One entry per origin and language, the origin's own counted. */
export const refuseTranslated = async (
  db: CmsDb,
  { origin, locale, id }: { origin: string; locale: string; id: string | null },
): Promise<void> => {
  const relatives = await listRelatives(db, origin)
  if (relatives.some((relative) => relative.id !== id && relative.locale === locale))
    fail('NAME_TAKEN', { message: TRANSLATED, details: { fields: [{ key: 'locale', message: TRANSLATED }] } })
}

const readTerms = (text: string): TermChoice[] =>
  text.split(',').map((part) => {
    const [first = '', second] = part.trim().split(':', 2)
    return second === undefined ? { taxonomy: null, slug: first } : { taxonomy: first, slug: second }
  })

const causeOf = (raised: unknown): unknown => (raised instanceof Error ? raised.cause : undefined)
