import type { List } from '@stoa/cms-model/lists.ts'
import type {
  CreateTaxonomyInput,
  Taxonomy,
  Term,
  UpdateTaxonomyInput,
  UpdateTermInput,
} from '@stoa/cms-model/taxonomies.ts'
import { messageOf, ProblemError } from '@stoa/ui/request/problem.ts'
import { queryOptions } from '@tanstack/react-query'
import { ALL, hasCode, ifMatch, sendSignedIn } from '../api.ts'

export const taxonomiesQuery = queryOptions({
  queryKey: ['taxonomies'],
  queryFn: ({ signal }) => sendSignedIn<List<Taxonomy>>('GET', `/api/taxonomies?${ALL}`, { signal }),
})

const pathOf = (name: string) => `/api/taxonomies/${encodeURIComponent(name)}`
const termPath = (name: string, slug: string) => `${pathOf(name)}/terms/${encodeURIComponent(slug)}`

export const taxonomyQuery = (name: string) =>
  queryOptions({
    queryKey: ['taxonomies', name],
    queryFn: ({ signal }) => sendSignedIn<Taxonomy>('GET', pathOf(name), { signal }),
  })

export const readTaxonomy = (name: string) => sendSignedIn<Taxonomy>('GET', pathOf(name))
export const createTaxonomy = (body: CreateTaxonomyInput) =>
  sendSignedIn<Taxonomy>('POST', '/api/taxonomies', { body }).catch(blame('NAME_TAKEN', 'name'))
export const updateTaxonomy = (name: string, body: UpdateTaxonomyInput, version: number | 'any') =>
  sendSignedIn<Taxonomy>('PUT', pathOf(name), { body, headers: ifMatch(version) }).catch(blame('NAME_TAKEN', 'name'))
export const deleteTaxonomy = (name: string) => sendSignedIn<undefined>('DELETE', pathOf(name), { body: {} })

export type NewTerm = { name: string; slug?: string; description: string; parentId: string | null }

export const createTerm = (taxonomy: string, body: NewTerm) =>
  sendSignedIn<Term>('POST', `${pathOf(taxonomy)}/terms`, { body }).catch(blame('SLUG_TAKEN', 'slug'))
export const readTerm = (taxonomy: string, slug: string) => sendSignedIn<Term>('GET', termPath(taxonomy, slug))
export const updateTerm = (taxonomy: string, slug: string, body: UpdateTermInput, version: number | 'any') =>
  sendSignedIn<Term>('PUT', termPath(taxonomy, slug), { body, headers: ifMatch(version) }).catch(
    blame('SLUG_TAKEN', 'slug'),
  )
export const deleteTerm = (taxonomy: string, slug: string) =>
  sendSignedIn<undefined>('DELETE', termPath(taxonomy, slug), { body: {} })

const blame =
  (code: 'NAME_TAKEN' | 'SLUG_TAKEN', key: string) =>
  (error: unknown): never => {
    if (!hasCode(error, code)) throw error
    throw new ProblemError(messageOf(error), [{ key, message: messageOf(error) }])
  }
