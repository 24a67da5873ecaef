import type { Change } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsService } from '@stoa/tests/lib/cms.ts'
import type { CmsTx } from '../../../context.ts'

/** A content type without fields. */
export const insertType = async ({ cms, clock }: CmsService, name: string): Promise<void> => {
  const now = clock.now()
  const texts = { name, label: name, label_plural: name, description: '', icon: '', preview_url: null, fields: '[]' }
  await cms.database.tx((tx) =>
    tx
      .insertInto('content_type')
      .values({ ...texts, kind: 'collection', created_at: now, updated_at: now, updated_by: null })
      .execute(),
  )
}

export type EntryState = { type: string; status?: 'draft' | 'published'; locale?: string; isTrashed?: boolean }

/** Inserts an entry without content; returns its ID. */
export const insertEntry = ({ cms, clock }: CmsService, state: EntryState): Promise<string> =>
  cms.database.tx((tx) => insertEntryIn(tx, state, clock.now()))

/** The same in a transaction that is open already. */
export const insertEntryIn = async (tx: CmsTx, state: EntryState, now: Date): Promise<string> => {
  const id = newId()
  await tx
    .insertInto('entry')
    .values({
      id,
      type: state.type,
      slug: id,
      title: id,
      data: '{}',
      status: state.status ?? 'draft',
      locale: state.locale ?? 'en',
      deleted_at: state.isTrashed ? now : null,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return id
}

/** Inserts a file of the media library without bytes; returns its ID. */
export const insertMedia = async ({ cms, clock }: CmsService): Promise<string> => {
  const id = newId()
  const now = clock.now()
  const texts = { filename: 'a.png', blob_key: id, mime_type: 'image/png', hash: id, alt: '', caption: '', folder: '' }
  await cms.database.tx((tx) =>
    tx
      .insertInto('media')
      .values({
        ...texts,
        id,
        size: 1,
        is_decorative: false,
        focal_x: 0.5,
        focal_y: 0.5,
        words: '',
        created_at: now,
        updated_at: now,
      })
      .execute(),
  )
  return id
}

/** Who did what, in its order. */
export const listActivity = ({ cms }: CmsService) =>
  cms.database.db.selectFrom('activity').selectAll().orderBy('id').execute()

/** What live listeners receive from now on. */
export const listenToChanges = ({ cms }: CmsService): Change[] => {
  const committed: Change[] = []
  cms.database.onCommit({ after: (changes) => void committed.push(...changes) })
  return committed
}

/** Every taxonomy and term. */
export const listRows = async ({ cms: { database } }: CmsService) => ({
  taxonomies: await database.db.selectFrom('taxonomy').selectAll().orderBy('id').execute(),
  terms: await database.db.selectFrom('term').selectAll().orderBy('id').execute(),
})

export const listAttachments = ({ cms }: CmsService) =>
  cms.database.db.selectFrom('entry_term').selectAll().orderBy('entry_id').orderBy('term_id').execute()

export const attach = async ({ cms }: CmsService, entryId: string, termIds: string[]): Promise<void> => {
  const rows = termIds.map((termId) => ({ entry_id: entryId, term_id: termId }))
  await cms.database.tx((tx) => tx.insertInto('entry_term').values(rows).execute())
}

export const moveToTrash = async ({ cms, clock }: CmsService, entryId: string): Promise<void> => {
  await cms.database.tx((tx) =>
    tx.updateTable('entry').set({ deleted_at: clock.now() }).where('id', '=', entryId).execute(),
  )
}
