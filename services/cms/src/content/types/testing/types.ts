import { newId } from '@stoa/kit/ids.ts'
import type { CmsAnswer, CmsClient, CmsService } from '@stoa/tests/lib/cms.ts'

export const text = (key: string, members: Record<string, unknown> = {}) => ({ key, type: 'text', ...members })

/** A content type made over HTTP. */
export const makeType = async (
  client: CmsClient,
  name: string,
  fields: readonly unknown[] = [text('subtitle')],
  members: Record<string, unknown> = {},
): Promise<CmsAnswer['body']> => {
  const answer = await client.post('/api/types', { name, label: name, fields, ...members })
  if (answer.status !== 201) throw new Error(`making ${name} answered ${answer.status}: ${answer.text}`)
  return answer.body
}

export type EntryMembers = {
  title?: string
  data?: unknown
  /** Data of unpublished changes; the entry is published then. */
  pending?: unknown
  isTrashed?: boolean
}

/** An entry as it is stored, whatever its type allows. */
export const storeEntry = async (
  service: CmsService,
  type: string,
  { title = 'An entry', data = {}, pending, isTrashed = false }: EntryMembers = {},
): Promise<string> => {
  const id = newId()
  const isPublished = pending !== undefined
  await service.cms.database.tx((tx) =>
    tx.query({
      text: `insert into entry (id, type, slug, title, data, status, locale, pending, deleted_at, created_at, updated_at)
        values ($1::text::uuid, $2, $1::text, $3, $4, $5, 'en', $6, $7, $8, $8)`,
      values: [
        id,
        type,
        title,
        JSON.stringify(data),
        isPublished ? 'published' : 'draft',
        isPublished ? JSON.stringify({ title, slug: id, data: pending }) : null,
        isTrashed ? service.clock.now() : null,
        service.clock.now(),
      ],
    }),
  )
  return id
}

/** Everything that a refused or tried change of a type must leave as it is. */
export const stateOf = async (service: CmsService) => {
  const { db } = service.cms.database
  return {
    types: await db.query({ text: 'select * from content_type order by name' }),
    entries: await db.query({ text: 'select * from entry order by id' }),
    unique: await db.query({ text: 'select * from entry_unique order by type, key, value' }),
    activity: await db.query({ text: 'select * from activity order by id' }),
  }
}
