import assert from 'node:assert/strict'
import { newId } from '@stoa/kit/ids.ts'
import type { Case, CaseGround } from './case.ts'

/** Tools for entries, types, files and terms. */
export const contentCases = (site: CaseGround): Record<string, Case> => ({
  propose_entry_update: {
    prepare: async () => {
      const { id } = await site.draft()
      return {
        args: { entryId: id, slug: site.fresh('slug'), data: { price: 5, summary: 'Short' } },
        expect: async () => assert.equal((await site.read(id)).data.price, 5),
        verb: 'Apply',
        risk: 'edit',
        paths: ['slug', 'data.price'],
      }
    },
    refused: async () => [{ entryId: (await site.draft()).id, data: { nope: 1 } }, 'VALIDATION_FAILED', 'nope'],
  },
  propose_revision_restore: {
    prepare: async () => {
      const { id } = await site.draft('First')
      await site.admin.client.put(`/api/entries/${id}`, { title: 'Second' })
      const { items } = await site.get(`/api/entries/${id}/revisions`)
      return {
        args: { entryId: id, revisionId: items[1].id },
        expect: async () => assert.equal((await site.read(id)).title, 'First'),
        verb: 'Restore version',
        risk: 'edit',
        paths: ['title'],
      }
    },
    refused: async () => [{ entryId: (await site.draft()).id, revisionId: newId() }, 'NOT_FOUND'],
  },
  propose_entry_untrash: {
    prepare: async () => {
      const { id } = await site.draft()
      await site.admin.client.delete(`/api/entries/${id}`)
      return {
        args: { entryId: id },
        expect: async () => assert.equal((await site.read(id)).deletedAt, null),
        verb: 'Restore',
        risk: 'edit',
        paths: ['status'],
      }
    },
    refused: async () => [{ entryId: (await site.draft()).id }, 'INVALID_STATE'],
  },
  propose_entry_create: {
    prepare: async () => {
      const title = site.fresh('Made ')
      return {
        args: {
          type: 'article',
          title,
          data: { body: '<p onclick="x">a</p>' },
          terms: [{ taxonomy: 'tags', slug: 'red' }],
        },
        expect: async ([answer]) => {
          const entry = await site.read(answer?.body.id)
          assert.deepEqual([entry.title, entry.status, entry.data.body], [title, 'draft', '<p>a</p>'])
          assert.equal(entry.terms.length, 1)
        },
        verb: 'Create draft',
        risk: 'edit',
        paths: ['title', 'data.body', 'terms'],
      }
    },
    refused: async () => [{ type: 'article', title: 'x', data: { price: 'much' } }, 'VALIDATION_FAILED', 'price'],
  },
  propose_entry_status: {
    prepare: async () => {
      const { id } = await site.draft()
      return {
        args: { entryId: id, action: 'publish' },
        expect: async () => assert.equal((await site.read(id)).status, 'published'),
        verb: 'Publish',
        risk: 'live',
        paths: ['action'],
      }
    },
    refused: async () => {
      const { id } = await site.add(site.admin.client, { type: 'article', title: 'No summary' })
      return [{ entryId: id, action: 'publish' }, 'VALIDATION_FAILED', 'summary']
    },
  },
  propose_entry_delete: {
    prepare: async () => {
      const { id } = await site.draft()
      return {
        args: { entryId: id },
        expect: async () => assert.notEqual((await site.read(id)).deletedAt, null),
        verb: 'Move to trash',
        risk: 'edit',
        paths: ['status'],
      }
    },
    refused: async () => [{ entryId: newId() }, 'NOT_FOUND'],
  },
  propose_entry_terms: {
    prepare: async () => {
      const { id } = await site.draft()
      return {
        args: { entryId: id, taxonomy: 'tags', terms: ['blue'] },
        expect: async () => assert.equal((await site.read(id)).terms[0].slug, 'blue'),
        verb: 'Apply',
        risk: 'edit',
        paths: ['terms'],
      }
    },
    refused: async () => [
      { entryId: (await site.draft()).id, taxonomy: 'tags', terms: ['green'] },
      'VALIDATION_FAILED',
    ],
  },
  propose_type_update: {
    prepare: async () => {
      const name = site.fresh('kind')
      await site.addType(name, [{ key: 'summary', type: 'text' }])
      return {
        args: {
          type: name,
          addFields: [{ key: 'intro', type: 'textarea', max: 20 }],
          changeFields: [{ key: 'summary', type: 'text', label: 'In short' }],
        },
        expect: async () => {
          const { fields } = await site.get(`/api/types/${name}`)
          assert.deepEqual(
            fields.map(({ key, label, maxLength }: Record<string, unknown>) => [key, label, maxLength]),
            [
              ['summary', 'In short', undefined],
              ['intro', 'Intro', 20],
            ],
          )
        },
        verb: 'Apply',
        risk: 'live',
        paths: ['changeFields.summary', 'fields.intro'],
      }
    },
    refused: async () => [
      { type: 'article', changeFields: [{ key: 'nope', type: 'text' }] },
      'VALIDATION_FAILED',
      'changeFields.0.key',
    ],
  },
  propose_type_create: {
    prepare: async () => {
      const name = site.fresh('type')
      return {
        args: {
          name,
          label: 'Made',
          fields: [{ key: 'items', type: 'list', max: 3, fields: [{ key: 'n', type: 'number' }] }],
        },
        expect: async () => assert.equal((await site.get(`/api/types/${name}`)).fields[0].maxItems, 3),
        verb: 'Create type',
        risk: 'edit',
        paths: ['name', 'label', 'kind', 'fields.items'],
      }
    },
    refused: async () => [{ name: 'article', label: 'Again', fields: [] }, 'NAME_TAKEN'],
  },
  propose_media_update: {
    prepare: async () => {
      const [first, second] = [await site.addMedia(), await site.addMedia()]
      return {
        args: {
          items: [
            { id: first, alt: 'A door' },
            { id: second, alt: 'A gate', folder: 'press' },
          ],
        },
        expect: async () => {
          assert.equal((await site.get(`/api/media/${first}`)).alt, 'A door')
          assert.equal((await site.get(`/api/media/${second}`)).folder, 'press')
        },
        verb: 'Apply',
        risk: 'edit',
        paths: ['0.alt', '1.alt', '1.folder'],
      }
    },
    refused: async () => [{ items: [{ id: newId(), alt: 'x' }] }, 'NOT_FOUND'],
  },
  propose_taxonomy_create: {
    prepare: async () => {
      const name = site.fresh('topics')
      return {
        args: { name, label: 'Topics' },
        expect: async () => assert.equal((await site.get(`/api/taxonomies/${name}`)).label, 'Topics'),
        verb: 'Create taxonomy',
        risk: 'edit',
        paths: ['name', 'label'],
      }
    },
    refused: async () => [{ name: 'tags', label: 'Again' }, 'NAME_TAKEN'],
  },
  propose_term_create: {
    prepare: async () => {
      const name = site.fresh('places')
      await site.made('/api/taxonomies', { name, label: 'Places', hierarchical: true })
      const { id } = await site.made(`/api/taxonomies/${name}/terms`, { name: 'North' })
      return {
        args: { taxonomy: name, name: 'Oslo', parent: 'north' },
        expect: async () => assert.equal((await site.get(`/api/taxonomies/${name}/terms/oslo`)).parentId, id),
        verb: 'Create term',
        risk: 'edit',
        paths: ['name', 'parentId'],
      }
    },
    refused: async () => [{ taxonomy: 'tags', name: 'x', parent: 'nope' }, 'VALIDATION_FAILED', 'parent'],
  },
})
