import type { Generated } from 'kysely'

/** Tables beside entries: what is derived of them, and what they leave behind. */
export type EntrySideTables = {
  entry_count: EntryCountTable
  entry_unique: EntryUniqueTable
  entry_link: EntryLinkTable
  entry_old_slug: EntryOldSlugTable
  entry_search: EntrySearchTable
  entry_template: EntryTemplateTable
}

type EntryCountTable = {
  type: string
  locale: string
  published: number
}

type EntryUniqueTable = {
  type: string
  key: string
  value: string
  entry_id: string
}

type EntryLinkTable = {
  entry_id: string
  is_live: boolean
  kind: 'media' | 'entry'
  target_id: string
}

type EntryOldSlugTable = {
  type: string
  slug: string
  entry_id: string
  left_at: Date
}

type EntrySearchTable = {
  entry_id: string
  public_document: string | null
  full_document: string
  words: string
  fields_version: Generated<number>
  misfits: string[] | null
  pending_misfits: string[] | null
}

type EntryTemplateTable = {
  entry_id: string
  version: number
  state: string
  template: string
}
