import { readEntryQuery } from '@stoa/cms-model/delivery/query.ts'
import type { Content } from '../../content/entries/entries.ts'
import type { Ctx } from '../../context.ts'
import { failFields } from '../../errors.ts'
import type { DeliveryPrincipal } from '../../principal.ts'
import { type EntryRow, findAnyStatus } from './queries.ts'
import { type Shown, showEntries } from './records.ts'
import { currentView } from './view.ts'

export type { Shown }

export type Deliverable = {
  /** The entry, of any status; one in the trash is not shown. */
  id: string
  /** Shown in the place of what is stored: a pending version, or an unsaved one. */
  content?: Content
  /** `include`, `fields` and `depth`, as on `/content/:type/:slug`. */
  search?: Iterable<readonly [string, string]>
}

/**
 * One entry exactly as delivery would show it to the key; null when it is gone, or of a type that the key may not read.
 * What it refers to is shown only if it is published.
 */
export const deliverEntry = async (
  ctx: Pick<Ctx, 'db' | 'config' | 'delivery'>,
  principal: Pick<DeliveryPrincipal, 'types'>,
  { id, content, search = [] }: Deliverable,
): Promise<Shown | null> => {
  const view = await currentView(ctx, principal)
  // The type, and so what to include, is not known yet: everything is read, at little cost.
  const row = await findAnyStatus(ctx.db, { id, include: { terms: true, author: true, translations: true } })
  const type = row && view.typeOf(row.type)
  if (!row || !type) return null
  const { query, problems } = readEntryQuery(search, type.fields)
  if (query === null) return failFields(problems)
  const shown: EntryRow = content
    ? { ...row, title: content.title, slug: content.slug, data: JSON.stringify(content.data), template: null }
    : row
  const [json] = await showEntries(ctx.db, view, {
    rows: [shown],
    fields: type.fields,
    query,
    sources: new Set(),
  })
  return json === undefined ? null : JSON.parse(json)
}
