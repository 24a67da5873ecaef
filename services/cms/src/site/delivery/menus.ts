import type { DeliveredMenu, DeliveredMenuItem, DeliveredSettings } from '@stoa/cms-model/delivery.ts'
import { entriesOfMenu, type MenuItem } from '@stoa/cms-model/menus.ts'
import { mediaUrls } from '../../content/media/media.ts'
import { readMenu } from '../../content/menus/menus.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { ALL_MENUS, type Sources } from './changes.ts'
import { listLeaves, type StubRow } from './queries-links.ts'
import type { View } from './view.ts'

/** A menu with the addresses of its entries; what leads to nothing that the key may read is gone, with all below it. */
export const getMenu = async (
  ctx: Ctx,
  view: View,
  { name, sources }: { name: string; sources: Sources },
): Promise<DeliveredMenu> => {
  sources.add(ALL_MENUS)
  const menu = (await readMenu(ctx.db, name)) ?? fail('NOT_FOUND')
  const ids = [...entriesOfMenu(menu.items).keys()]
  for (const id of ids) sources.add(id)
  const { stubs } = await listLeaves(ctx.db, { entries: ids, types: view.typeNames, media: [] })
  const targets = new Map(stubs.map((stub) => [stub.id, stub]))
  return { name: menu.name, label: menu.label, items: shownItems(menu.items, targets, view) }
}

const shownItems = (
  items: readonly MenuItem[],
  targets: ReadonlyMap<string, StubRow>,
  view: View,
): DeliveredMenuItem[] =>
  items.flatMap(({ id, label, url, entryId, target, children }) => {
    const entry = entryId === undefined ? undefined : targets.get(entryId)
    if (entryId !== undefined && !entry) return []
    return [
      {
        id,
        label,
        url: entry ? view.urlOf(entry) : (url ?? null),
        ...(entryId === undefined ? {} : { entryId }),
        ...(target === undefined ? {} : { target }),
        children: shownItems(children, targets, view),
      },
    ]
  })

/** What websites need of the settings, with the addresses of the files. */
export const getSettings = async (ctx: Ctx, view: View, sources: Sources): Promise<DeliveredSettings> => {
  const { title, tagline, description, url, locale, logoId, socialImageId } = view.site.settings
  for (const id of [logoId, socialImageId]) if (id !== null) sources.add(id)
  const addresses = await mediaUrls(ctx.db, ctx.config, [logoId, socialImageId])
  const addressOf = (id: string | null) => (id === null ? null : (addresses.get(id) ?? null))
  return {
    title,
    tagline,
    description,
    url,
    locale,
    logo: addressOf(logoId),
    socialImage: addressOf(socialImageId),
    logoId,
    socialImageId,
  }
}
