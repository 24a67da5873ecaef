import type { ContentTypeInput } from '@stoa/cms-model/content-types.ts'
import type { TermReference } from '@stoa/cms-model/taxonomies.ts'
import type { PictureName } from '../pictures/pictures.ts'

/** What texts refer to: pictures and entries that are there already, and days around the present one. */
export type Made = {
  /** The id of a picture. */
  picture(name: PictureName): string
  /** The picture as rich text holds it. */
  figure(name: PictureName, caption: string, align?: 'wide' | 'left' | 'right' | 'center'): string
  /** The id of an entry that was planned before this one. */
  entry(key: string): string
  /** A calendar date so many days from today; earlier with a minus. */
  day(days: number): string
  /** A moment on that day, UTC. */
  moment(days: number, hour: number, minute?: number): string
}

export type Data = Record<string, unknown>

/** How far an entry has come. */
export type Outcome =
  | { kind: 'published' }
  | { kind: 'draft' }
  | { kind: 'scheduled'; at: (made: Made) => string }
  /** Published, and changed since: the changes wait. */
  | { kind: 'changed'; title: string; data: (made: Made) => Data }

/** An entry to be made. Its key is the slug, and names it for others. */
export type EntryPlan = {
  type: string
  slug: string
  title: string
  data: (made: Made) => Data
  terms?: readonly TermReference[]
  outcome: Outcome
}

export type TermPlan = { slug: string; name: string; description?: string; below?: readonly TermPlan[] }
export type TaxonomyPlan = {
  name: string
  label: string
  hierarchical: boolean
  types: string[]
  terms: readonly TermPlan[]
}

export type MenuItemPlan = { label: string; children?: readonly MenuItemPlan[] } & ({ url: string } | { entry: string })
export type MenuPlan = { name: string; label: string; items: readonly MenuItemPlan[] }

export type TypePlan = ContentTypeInput

export const PUBLISHED: Outcome = { kind: 'published' }

/** Paragraphs of rich text. */
export const paragraphs = (...texts: readonly string[]): string => texts.map((text) => `<p>${text}</p>`).join('')
