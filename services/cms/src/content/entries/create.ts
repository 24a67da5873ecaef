import type { CreateEntryInput, Entry } from '@stoa/cms-model/entries.ts'
import { defaultData } from '@stoa/cms-model/fields/values.ts'
import type { Settings } from '@stoa/cms-model/settings.ts'
import { isConflict } from '@stoa/kit/db/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsDb, CmsTx, Ctx } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import { requirePermission } from '../../people/access/access.ts'
import { personOf } from '../../principal.ts'
import { readLockedSettings } from '../settings/settings.ts'
import { resolveTerms, setEntryTerms } from '../taxonomies/taxonomies.ts'
import { type ContentType, findType, lockTypeShared } from '../types/types.ts'
import { recordEntryChange } from './changes.ts'
import { mergeSent } from './content.ts'
import { syncDerived } from './derived.ts'
import { asDeclared } from './layout.ts'
import {
  findAuthor,
  findEntry,
  hasEntries,
  insertEntry,
  listRelatives,
  lockEntry,
  lockName,
  type NewEntry,
} from './queries.ts'
import type { Author } from './record.ts'
import { showEntry } from './show.ts'
import { claimSlug, deriveSlug } from './slugs.ts'
import { addRevision, refuseSlugConflict, TRANSLATED } from './write.ts'

/** A new draft. Its slug is made of the title unless one was given. */
export const createEntry = async (ctx: Ctx, input: CreateEntryInput): Promise<Entry> => {
  const run = () =>
    ctx.tx(async (tx) => {
      const type = (await findType(tx, input.type)) ?? failFields([{ key: 'type', message: "isn't a content type" }])
      const settings = await readLockedSettings(tx)
      const author = await authorFor(ctx, tx, input.authorId)
      const held = await lockTypeShared(tx, type.name)
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
        entry: {
          id,
          type: held.name,
          title: input.title,
          slug,
          data,
          locale,
          translationOf,
          authorId: author?.id ?? null,
        },
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

/** Stores a new draft with everything that belongs to it, and records the change. */
export const addEntry = async (ctx: Ctx, tx: CmsTx, { entry, type, settings, termIds }: Addition): Promise<Entry> => {
  await insertEntry(tx, entry, { at: ctx.now(), by: personOf(ctx)?.id ?? null }).catch((raised: unknown) =>
    refuseSlugConflict(raised, entry.slug),
  )
  if (termIds.length > 0) await setEntryTerms(tx, entry.id, termIds)
  const after = (await findEntry(tx, entry.id)) ?? fail('NOT_FOUND')
  await syncDerived(tx, type, after)
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

/** A single kind has one entry; concurrent creations are serialized. */
export const refuseSecond = async (tx: CmsTx, type: ContentType): Promise<void> => {
  await lockName(tx, `single ${type.name}`)
  if (await hasEntries(tx, type.name)) fail('SINGLE_EXISTS')
}

export const localeFor = ({ locale, locales }: Settings, given: string | undefined): string => {
  if (given === undefined) return locale
  if (!locales.includes(given)) failFields([{ key: 'locale', message: `must be one of ${locales.join(', ')}` }])
  return given
}

/** The author of an entry: oneself, nobody for a plugin that acts by itself, or whom someone with a right to any entry names. */
export const authorFor = async (ctx: Ctx, db: CmsDb, authorId: string | undefined): Promise<Author | null> => {
  const own = personOf(ctx)
  if (authorId === undefined || authorId === own?.id) return own && { id: own.id, name: own.name, avatar: own.avatar }
  if (requirePermission(ctx.principal, 'content.write') !== 'any')
    fail('FORBIDDEN', { message: 'You can only set yourself as the author', details: { permission: 'content.write' } })
  return (await findAuthor(db, authorId)) ?? failFields([{ key: 'authorId', message: "isn't a person on this site" }])
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

const causeOf = (raised: unknown): unknown => (raised instanceof Error ? raised.cause : undefined)
