import type { Term } from '@stoa/cms-model/taxonomies.ts'
import type { AppError } from '@stoa/kit/errors.ts'
import { z } from 'zod'
import { appErrorOf } from '../../people/call-route/call-route.ts'
import { changeOf, given, proposed, reason, refuseMember, rehearse } from './proposing.ts'
import { type Reach, tool } from './tool.ts'

const ROUTE = '/api/taxonomies/:name/terms'

export const proposeTermCreate = tool({
  name: 'propose_term_create',
  kind: 'propose',
  permission: 'taxonomy.manage',
  description: 'One term in an existing taxonomy.',
  input: z.strictObject({
    taxonomy: z.string(),
    name: z.string(),
    slug: z.string().optional(),
    parent: z.string().describe('term slug').optional(),
    reason,
  }),
  label: () => 'Preparing a term',
  run: async (reach, { taxonomy, name, slug, parent, reason: why }) => {
    await reach.call({ method: 'GET', path: '/api/taxonomies/:name', params: { name: taxonomy } })
    const above = parent === undefined ? null : await findParent(reach, taxonomy, parent)
    const body = given({ name, slug, parentId: above?.id })
    const params = { name: taxonomy }
    const after = await rehearse<Term>(reach, { method: 'POST', path: ROUTE, params, body })
    return proposed({
      title: `Create the term “${after.name}”`,
      reason: why,
      risk: 'edit',
      verb: 'Create term',
      permission: 'taxonomy.manage',
      target: { kind: 'term', id: null, label: after.name, screen: 'taxonomies' },
      changes: [
        changeOf({ path: 'name', label: 'Name', after: after.name }),
        ...(slug === undefined ? [] : [changeOf({ path: 'slug', label: 'Slug', after: after.slug })]),
        ...(above === null ? [] : [changeOf({ path: 'parentId', label: 'Parent', after: above.name })]),
      ],
      requests: [{ method: 'POST', route: ROUTE, params, body, version: null, record: null }],
      base: { kind: 'taxonomy', id: null, version: null },
      anchors: null,
    })
  },
})

const findParent = async (reach: Reach, taxonomy: string, slug: string): Promise<Term> => {
  try {
    const params = { name: taxonomy, slug }
    return (await reach.call({ method: 'GET', path: '/api/taxonomies/:name/terms/:slug', params })) as Term
  } catch (raised) {
    const refusal: AppError = appErrorOf(raised)
    if (refusal.code !== 'NOT_FOUND') throw raised
    return refuseMember('parent', `is not a term of ${taxonomy}`)
  }
}
