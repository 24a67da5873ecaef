import type { ChangeEvent } from '../../events/events.ts'
import type { TaxonomyRecord } from './queries.ts'

/** What listeners receive on any change to a taxonomy or its terms: terms are shown with published entries. */
export const taxonomyEvent = ({ id, name, label }: TaxonomyRecord): ChangeEvent => ({
  name: 'taxonomy.updated',
  data: { id, slug: name, title: label },
  isPublic: true,
})
