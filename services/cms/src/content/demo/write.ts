import { createEntryInput, entryStatusInput, updateEntryInput } from '@stoa/cms-model/entries.ts'
import { createMenuInput } from '@stoa/cms-model/menus.ts'
import { createTermInput } from '@stoa/cms-model/taxonomies.ts'
import type { Ctx } from '../../context.ts'
import { changeStatus, createEntry, updateEntry } from '../entries/entries.ts'
import { mediaUrl, type StoredMedia } from '../media/media.ts'
import { createMenu } from '../menus/menus.ts'
import { createTaxonomy, createTerm } from '../taxonomies/taxonomies.ts'
import type { EntryPlan, Made, MenuItemPlan, MenuPlan, TaxonomyPlan, TermPlan } from './content/plan.ts'
import type { PictureName } from './pictures/pictures.ts'

const DAY_MS = 86_400_000

type Media = ReadonlyMap<PictureName, StoredMedia>
/** Ids by slug. */
type Entries = ReadonlyMap<string, string>

/** Makes the taxonomies with their terms; gives the number of terms. */
export const writeTaxonomies = async (ctx: Ctx, taxonomies: readonly TaxonomyPlan[]): Promise<number> => {
  let count = 0
  for (const { terms, ...taxonomy } of taxonomies) {
    await createTaxonomy(ctx, taxonomy)
    count += await writeTerms(ctx, taxonomy.name, terms, null)
  }
  return count
}

const writeTerms = async (
  ctx: Ctx,
  taxonomy: string,
  terms: readonly TermPlan[],
  parentId: string | null,
): Promise<number> => {
  let count = 0
  for (const { slug, name, description, below = [] } of terms) {
    const input = createTermInput.parse({ slug, name, parentId, ...(description !== undefined && { description }) })
    const { id } = await createTerm(ctx, taxonomy, input)
    count += 1 + (await writeTerms(ctx, taxonomy, below, id))
  }
  return count
}

/** Makes the entries in their order and brings each as far as its plan says. */
export const writeEntries = async (ctx: Ctx, plans: readonly EntryPlan[], media: Media): Promise<Entries> => {
  const entries = new Map<string, string>()
  const made = whatIsMade(ctx, media, entries)
  for (const plan of plans) entries.set(plan.slug, await writeEntry(ctx, plan, made))
  return entries
}

const writeEntry = async (ctx: Ctx, { type, slug, title, data, terms = [], outcome }: EntryPlan, made: Made) => {
  const input = createEntryInput.parse({ type, title, slug, data: data(made), terms })
  const { id } = await createEntry(ctx, input)
  if (outcome.kind === 'draft') return id
  const at = outcome.kind === 'scheduled' ? { at: outcome.at(made) } : {}
  await changeStatus(ctx, id, entryStatusInput.parse({ action: 'publish', ...at }), null)
  if (outcome.kind === 'changed') {
    const changes = { title: outcome.title, data: outcome.data(made), mode: 'draft' }
    await updateEntry(ctx, id, updateEntryInput.parse(changes), null)
  }
  return id
}

const whatIsMade = (ctx: Ctx, media: Media, entries: Entries): Made => {
  const today = new Date(ctx.now().setUTCHours(0, 0, 0, 0)).getTime()
  const file = (name: PictureName): StoredMedia => media.get(name) ?? missing(`picture ${name}`)
  return {
    picture: (name) => file(name).id,
    figure: (name, caption, align = 'center') => {
      const stored = file(name)
      const { id, alt, width, height } = stored
      return `<figure data-align="${align}"><img src="${mediaUrl(ctx.config, stored)}" alt="${alt}" width="${width}" height="${height}" data-media-id="${id}"><figcaption>${caption}</figcaption></figure>`
    },
    entry: (slug) => entries.get(slug) ?? missing(`entry ${slug}`),
    day: (days) => new Date(today + days * DAY_MS).toISOString().slice(0, 10),
    moment: (days, hour, minute = 0) => new Date(today + days * DAY_MS + (hour * 60 + minute) * 60_000).toISOString(),
  }
}

const missing = (what: string): never => {
  throw new Error(`The demo names the ${what}, which is not made yet`)
}

export const writeMenus = async (ctx: Ctx, menus: readonly MenuPlan[], entries: Entries): Promise<void> => {
  const itemOf = (item: MenuItemPlan): object => ({
    label: item.label,
    ...('url' in item ? { url: item.url } : { entryId: entries.get(item.entry) ?? missing(`entry ${item.entry}`) }),
    children: (item.children ?? []).map(itemOf),
  })
  for (const { name, label, items } of menus)
    await createMenu(ctx, createMenuInput.parse({ name, label, items: items.map(itemOf) }))
}
