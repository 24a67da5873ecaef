import type { Taxonomy } from '@stoa/cms-model/taxonomies.ts'
import { nothing } from './inputs.ts'
import { counted, readAll, result } from './reading.ts'
import { tool } from './tool.ts'

export const listTaxonomies = tool({
  name: 'list_taxonomies',
  kind: 'read',
  permission: 'content.read',
  description: 'Categories, tags and their terms.',
  input: nothing,
  label: () => 'Reading taxonomies',
  async run(reach) {
    const taxonomies = (await readAll<Taxonomy>(reach, '/api/taxonomies')).map(({ name, label, terms }) => {
      const slugs = new Map(terms.map(({ id, slug }) => [id, slug]))
      const shown = terms.map(({ slug, name, parentId, count }) => ({
        ...{ slug, name, count },
        parent: parentId === null ? null : (slugs.get(parentId) ?? null),
      }))
      return { name, label, terms: shown }
    })
    return result({ taxonomies }, counted(taxonomies.length, 'taxonomy', 'taxonomies'))
  },
})
