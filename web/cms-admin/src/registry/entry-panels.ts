import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { Entry } from '@stoa/cms-model/entries.ts'
import type { ReactNode } from 'react'
import type { Item } from './arrange.ts'

/** What the form holds now, to be read. Only the editor writes. */
export type EntryDraft = {
  values: { readonly title: string; readonly slug: string; readonly data: Readonly<Record<string, unknown>> }
  locale: string
  /** Something is not saved yet. */
  isDirty: boolean
  isReadonly: boolean
}

export type EntryPanelProps = {
  type: ContentType
  /** The entry as the service last returned it; null until the first save. */
  entry: Entry | null
  draft: EntryDraft
}

/** A part of the details beside the form of an entry. */
export type EntryPanel = Item & {
  /** Names it where it cannot be shown. */
  label: string
  /** Without it the panel is there for every entry. */
  applies?: (type: ContentType, entry: Entry | null) => boolean
  /** Draws a `SideSection`, or nothing. */
  Component: ((props: EntryPanelProps) => ReactNode) & { preload?: () => Promise<void> }
}
