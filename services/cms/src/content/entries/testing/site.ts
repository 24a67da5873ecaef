import assert from 'node:assert/strict'
import { newId } from '@stoa/kit/ids.ts'
import {
  type CmsAnswer,
  type CmsClient,
  type CmsOptions,
  type CmsService,
  type Person,
  startCms,
} from '@stoa/tests/lib/cms.ts'

export type Site = CmsService & {
  admin: Person
  editor: Person
  author: Person
  viewer: Person
  /** A content type of these fields. */
  addType(name: string, fields: object[], more?: { kind?: 'collection' | 'single'; previewUrl?: string }): Promise<void>
  /** A file of the media library, without its bytes. */
  addMedia(mimeType?: string, createdBy?: string): Promise<string>
  addTaxonomy(name: string, terms: string[]): Promise<void>
  /** An entry made by the client; the test fails if it is refused. */
  add(client: CmsClient, members: object): Promise<CmsAnswer['body']>
  publish(client: CmsClient, id: string): Promise<CmsAnswer['body']>
  read(id: string): Promise<CmsAnswer['body']>
  /** Every event about entries since the last call, in order: its name and its audience. */
  takeChanges(): { event: string; data: Record<string, unknown> }[]
  count(type: string, locale?: string): Promise<number>
}

const FIELDS = [
  { key: 'body', type: 'richtext' },
  { key: 'summary', type: 'text', required: true },
  { key: 'price', type: 'number' },
  {
    key: 'tags',
    type: 'multiselect',
    options: [
      { value: 'a', label: 'A' },
      { value: 'b', label: 'B' },
    ],
  },
]

/** A service with a type `article` (its `summary` is required) and a person of each role. */
export const startSite = async (options: CmsOptions = {}): Promise<Site> => {
  const service = await startCms(options)
  const { database } = service.cms
  const changes: { event: string; data: Record<string, unknown> }[] = []
  database.onCommit({
    after: (committed) => void changes.push(...committed.filter(({ topic }) => topic === 'entry')),
  })

  const addType: Site['addType'] = async (name, fields, more) => {
    const now = service.clock.now()
    await database.tx((tx) =>
      tx
        .insertInto('content_type')
        .values({
          name,
          label: name,
          label_plural: name,
          description: '',
          icon: '',
          kind: more?.kind ?? 'collection',
          preview_url: more?.previewUrl ?? null,
          fields: JSON.stringify(fields),
          created_at: now,
          updated_at: now,
          updated_by: null,
        })
        .execute(),
    )
  }
  await addType('article', FIELDS, { previewUrl: '/blog/{slug}' })
  const [admin, editor, author, viewer] = [
    await service.person('admin'),
    await service.person('editor'),
    await service.person('author'),
    await service.person('viewer'),
  ]
  return {
    ...service,
    admin,
    editor,
    author,
    viewer,
    addType,
    async addMedia(mimeType = 'image/png', createdBy) {
      const id = newId()
      const now = service.clock.now()
      await database.tx((tx) =>
        tx
          .insertInto('media')
          .values({
            id,
            filename: 'a.png',
            blob_key: id,
            mime_type: mimeType,
            size: 1,
            width: null,
            height: null,
            hash: 'hash',
            alt: '',
            is_decorative: false,
            caption: '',
            folder: '',
            focal_x: 0.5,
            focal_y: 0.5,
            words: 'a.png',
            created_at: now,
            created_by: createdBy ?? null,
            updated_at: now,
            updated_by: null,
          })
          .execute(),
      )
      return id
    },
    async addTaxonomy(name, terms) {
      const id = newId()
      const now = service.clock.now()
      const times = { created_at: now, updated_at: now }
      await database.tx(async (tx) => {
        await tx
          .insertInto('taxonomy')
          .values({ id, name, label: name, hierarchical: false, types: ['*'], updated_by: null, ...times })
          .execute()
        for (const [position, slug] of terms.entries())
          await tx
            .insertInto('term')
            .values({
              id: newId(),
              taxonomy_id: id,
              slug,
              name: slug,
              description: '',
              parent_id: null,
              position,
              ...times,
            })
            .execute()
      })
    },
    async add(client, members) {
      const answer = await client.post('/api/entries', { type: 'article', ...members })
      assert.equal(answer.status, 201, answer.text)
      return answer.body
    },
    async publish(client, id) {
      const answer = await client.post(`/api/entries/${id}/status`, { action: 'publish' })
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    },
    async read(id) {
      const answer = await admin.client.get(`/api/entries/${id}`)
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    },
    takeChanges: () => changes.splice(0),
    async count(type, locale = 'en') {
      const row = await database.db
        .selectFrom('entry_count')
        .select('published')
        .where('type', '=', type)
        .where('locale', '=', locale)
        .executeTakeFirst()
      return row?.published ?? 0
    },
  }
}

/** Refused with this code, and the entry is as it was. */
export const refused = async (
  site: Site,
  id: string,
  code: string,
  act: () => Promise<CmsAnswer>,
): Promise<CmsAnswer> => {
  const before = await site.read(id)
  site.takeChanges()
  const answer = await act()
  assert.equal(answer.body?.code, code, `${answer.status} ${answer.text}`)
  assert.deepEqual(await site.read(id), before)
  assert.deepEqual(site.takeChanges(), [])
  return answer
}

export const fieldsOf = (answer: CmsAnswer): string[] =>
  (answer.body?.details?.fields ?? []).map(({ key }: { key: string }) => key)
