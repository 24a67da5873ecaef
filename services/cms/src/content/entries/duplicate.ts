import { type Entry, MAX_TITLE_LENGTH } from '@stoa/cms-model/entries.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Ctx } from '../../context.ts'
import { personOf } from '../../principal.ts'
import { termsOfEntries } from '../taxonomies/taxonomies.ts'
import { addEntry, slugForNew } from './create.ts'
import { asDeclared } from './layout.ts'
import { workingCopy } from './record.ts'
import { requireWrite } from './rights.ts'
import { openEntry } from './write.ts'

const ENDING = ' (copy)'

/** A new draft of one's own, with what the entry holds. Values that may be there only once stay behind. */
export const duplicateEntry = (ctx: Ctx, id: string): Promise<Entry> =>
  ctx.tx(async (tx) => {
    const { entry, type, settings } = await openEntry(ctx, tx, id, { wanted: null, may: requireWrite })
    const source = workingCopy(entry)
    const unique = new Set(type.fields.filter((field) => field.unique).map(({ key }) => key))
    const kept = Object.fromEntries(Object.entries(source.data).filter(([key]) => !unique.has(key)))
    const data = asDeclared(ctx, type, kept)
    const title = source.title === '' ? '' : source.title.slice(0, MAX_TITLE_LENGTH - ENDING.length) + ENDING
    const copyId = newId()
    const slug = await slugForNew(tx, type, { id: copyId, locale: entry.locale, title })
    const terms = (await termsOfEntries(tx, [id])).get(id) ?? []
    return addEntry(ctx, tx, {
      entry: {
        id: copyId,
        type: type.name,
        title,
        slug,
        data,
        locale: entry.locale,
        translationOf: null,
        authorId: personOf(ctx)?.id ?? null,
      },
      type,
      settings,
      termIds: terms.map((term) => term.id),
    })
  })
