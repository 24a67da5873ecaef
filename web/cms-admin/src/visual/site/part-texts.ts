import { type MenuItem, menuItems } from '@stoa/cms-model/menus.ts'
import type { WebsiteState } from '@stoa/cms-model/website.ts'
import type { FromEditor, PartText } from '../canvas/protocol.ts'
import type { Values } from './drafts.ts'
import { isMenuPart, isSettingsPart, keyOfPart } from './sources.ts'

/** The values of sources, by their keys. */
export type ValuesBySource = Readonly<Record<string, Values>>

type Parts = Extract<FromEditor, { t: 'setParts' }>['parts']

/**
 * The texts of menus and settings that differ from those the page was rendered with. The others of such a part are named,
 * too: words that stand there twice are distinguished by their order. Entries are rendered by the website as they are typed.
 */
export const textsOfParts = (website: WebsiteState, rendered: ValuesBySource, now: ValuesBySource): Parts =>
  website.parts.flatMap((part) => {
    const key = keyOfPart(part) ?? ''
    const [before, after] = [rendered[key], now[key]]
    if (!before || !after) return []
    const texts = isMenuPart(part)
      ? linkTexts(before.items, after.items)
      : isSettingsPart(part)
        ? part.source.fields.flatMap((field) => settingText(before[field], after[field]))
        : []
    return texts.some(({ was, is }) => was !== is) ? [{ id: part.id, texts }] : []
  })

const linkTexts = (before: unknown, after: unknown): PartText[] => {
  const labels = new Map(linksOf(after).map(({ id, label }) => [id, label]))
  return linksOf(before).map(({ id, label }) => ({ was: label, is: labels.get(id) ?? label }))
}

const linksOf = (items: unknown): MenuItem[] => {
  const read = menuItems.safeParse(items)
  return read.success ? allOf(read.data) : []
}

const allOf = (items: readonly MenuItem[]): MenuItem[] => items.flatMap((item) => [item, ...allOf(item.children)])

const settingText = (was: unknown, is: unknown): PartText[] =>
  typeof was === 'string' && typeof is === 'string' ? [{ was, is }] : []
