import { readFilter } from '@stoa/cms-model/delivery/filter.ts'
import type { Known } from '@stoa/cms-model/delivery/operands.ts'
import { readSortKeys } from '@stoa/cms-model/delivery/query.ts'
import type { Entry, EntryItem } from '@stoa/cms-model/entries.ts'
import { type List, toList } from '@stoa/cms-model/lists.ts'
import type { CmsDb, Ctx } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import { personOf } from '../../principal.ts'
import { MAX_UNINDEXED, type Scope, unindexedIn, WORKING_COPY } from '../filters/filters.ts'
import { parseSearch } from '../search/search.ts'
import { readSettings } from '../settings/settings.ts'
import { termsOfEntries } from '../taxonomies/taxonomies.ts'
import { type ContentType, findType, listAllTypes, requireType } from '../types/types.ts'
import { findEntry } from './queries.ts'
import { countEntries, type EntryListFilter, listEntryRows, type TermChoice } from './queries-list.ts'
import type { StoredEntry } from './record.ts'
import { requireWrite } from './rights.ts'
import { type EntriesQuery, entryItemJson, entryJson, type Shown } from './schema.ts'

/** A type as a list of its entries needs it; `misfits` as in `Scope`. */
type TypeInUse = Pick<ContentType, 'fields'> & Pick<Scope, 'misfits'>

declare module '../../context.ts' {
  interface Ports {
    /** All types, from memory when nothing has changed. */
    typesInUse(): Promise<ReadonlyMap<string, TypeInUse>>
  }
}

/** One entry: its working copy, and what the public sees. What is in the trash is shown to those who may restore it. */
export const getEntry = async (ctx: Ctx, id: string): Promise<Entry> => {
  const entry = (await findEntry(ctx.db, id)) ?? fail('NOT_FOUND')
  if (entry.deletedAt !== null) requireWrite(ctx, entry)
  return showEntry(ctx, ctx.db, entry)
}

/** The answer after reading or changing an entry. */
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
    failFields([{ key: 'type', message: "isn't a content type" }])
  const filter: EntryListFilter = {
    ...query,
    ...(await readOwn(ctx, query)),
    asked: query.q ? await parseSearch(ctx.db, query.q) : null,
    terms: query.term === undefined ? [] : readTerms(query.term),
    authorId: query.author === 'me' ? ownId(ctx) : query.author,
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

/** The filter and sort on the type's own fields. Everybody who may read entries here sees hidden fields, too. */
const readOwn = async (ctx: Ctx, { type: name, filters, sort: order }: EntriesQuery): Promise<Own> => {
  const types = name === undefined ? new Map<string, never>() : await ctx.typesInUse()
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

const readTerms = (text: string): TermChoice[] =>
  text.split(',').map((part) => {
    const [first = '', second] = part.trim().split(':', 2)
    return second === undefined ? { taxonomy: null, slug: first } : { taxonomy: first, slug: second }
  })

/** Schedules and plugins that act by themselves have written nothing of their own. */
const ownId = (ctx: Ctx): string =>
  personOf(ctx)?.id ?? failFields([{ key: 'author', message: 'must be an ID: nobody is signed in' }])
