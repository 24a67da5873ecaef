import assert from 'node:assert/strict'
import type { CmsAnswer, CmsClient, CmsService, Person } from '@stoa/tests/lib/cms.ts'
import { startCms } from '@stoa/tests/lib/cms.ts'
import { attach, listActivity, listAttachments, listRows } from './queries.ts'

export type Ground = {
  service: CmsService
  editor: Person
  client: CmsClient
  /** A new taxonomy's name. */
  newTaxonomy(members?: Record<string, unknown>): Promise<string>
  newTerm(taxonomy: string, members: Record<string, unknown>): Promise<NewTerm>
  /** Names of the terms in their order, each with the names above it. */
  tree(taxonomy: string): Promise<string[]>
  attach(entryId: string, ...terms: NewTerm[]): Promise<void>
  /** Runs an attempt that must be refused with this code and leave everything as it was. */
  refused(code: string, attempt: () => Promise<CmsAnswer>): Promise<CmsAnswer>
  close(): Promise<void>
}
export type NewTerm = {
  id: string
  slug: string
  name: string
  parentId: string | null
  position: number
  version: number
}

/** A site with an editor who makes taxonomies. */
export const startGround = async (): Promise<Ground> => {
  const service = await startCms()
  const editor = await service.person('editor')
  const { client } = editor
  let made = 0
  const state = async () => ({
    rows: await listRows(service),
    attachments: await listAttachments(service),
    activity: await listActivity(service),
  })
  return {
    service,
    editor,
    client,
    async newTaxonomy(members = {}) {
      made += 1
      const answer = await client.post('/api/taxonomies', { name: `taxonomy-${made}`, label: 'Any', ...members })
      assert.equal(answer.status, 201, answer.text)
      return answer.body.name
    },
    async newTerm(taxonomy, members) {
      const answer = await client.post(`/api/taxonomies/${taxonomy}/terms`, members)
      assert.equal(answer.status, 201, answer.text)
      return answer.body
    },
    async tree(taxonomy) {
      const { body } = await client.get(`/api/taxonomies/${taxonomy}/terms?limit=100`)
      const terms: NewTerm[] = body.items
      const pathOf = ({ parentId, name }: NewTerm): string => {
        const parent = terms.find(({ id }) => id === parentId)
        return parent ? `${pathOf(parent)}/${name}` : name
      }
      return terms.map(pathOf)
    },
    attach: (entryId, ...terms) =>
      attach(
        service,
        entryId,
        terms.map(({ id }) => id),
      ),
    async refused(code, attempt) {
      const before = await state()
      const answer = await attempt()
      assert.equal(answer.body?.code, code, answer.text)
      assert.deepEqual(await state(), before)
      return answer
    },
    close: () => service.close(),
  }
}

export const keysOf = ({ body }: CmsAnswer): string[] => [
  ...new Set<string>(body.details.fields.map((field: { key: string }) => field.key)),
]
