import { listOf } from '@stoa/cms-model/lists.ts'
import {
  createTaxonomyInput,
  createTermInput,
  taxonomy,
  term,
  updateTaxonomyInput,
  updateTermInput,
} from '@stoa/cms-model/taxonomies.ts'
import { versionEtag } from '@stoa/kit/http/etag.ts'
import { reply } from '@stoa/kit/http/route.ts'
import { needs, type Route, route } from '../../people/access/access.ts'
import { versionInput, wantedVersion } from '../../version-conflict.ts'
import { nameParams, taxonomiesQuery, taxonomyJson, termJson, termParams, termsQuery } from './schema.ts'
import {
  createTaxonomy,
  getTaxonomy,
  listTaxonomies,
  removeTaxonomy,
  type TaxonomyWithTerms,
  updateTaxonomy,
} from './taxonomies.ts'
import { type CountedTerm, createTerm, getTerm, listTerms, removeTerm, updateTerm } from './terms/terms.ts'

/** For If-Match only, and never a reason for 304: counts, places and terms change without the version of the record. */
const etag = ({ version }: { version: number }) => ({ headers: { etag: versionEtag(version) } })
const taxonomyRecord = (saved: TaxonomyWithTerms) => reply(taxonomyJson(saved), etag(saved))
const termRecord = (saved: CountedTerm) => reply(termJson(saved), etag(saved))

const ofTaxonomies: Route[] = [
  route({
    method: 'GET',
    path: '/api/taxonomies',
    summary: 'List taxonomies with their terms, by name',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    query: taxonomiesQuery,
    output: listOf(taxonomy),
    run: async (ctx, { query }) => {
      const { items, meta } = await listTaxonomies(ctx, query)
      return { items: items.map(taxonomyJson), meta }
    },
  }),
  route({
    method: 'POST',
    path: '/api/taxonomies',
    summary: 'Create a taxonomy',
    auth: ['session', 'agent'],
    access: needs('taxonomy.manage'),
    body: createTaxonomyInput,
    output: taxonomy,
    status: 201,
    run: async (ctx, { body }) => taxonomyRecord(await createTaxonomy(ctx, body)),
  }),
  route({
    method: 'GET',
    path: '/api/taxonomies/:name',
    summary: 'Read a taxonomy with its terms',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    params: nameParams,
    output: taxonomy,
    run: async (ctx, { params }) => taxonomyRecord(await getTaxonomy(ctx, params.name)),
  }),
  route({
    method: 'PUT',
    path: '/api/taxonomies/:name',
    summary: 'Update a taxonomy',
    auth: ['session', 'agent'],
    access: needs('taxonomy.manage'),
    params: nameParams,
    body: updateTaxonomyInput,
    output: taxonomy,
    run: async (ctx, { params, body, request }) =>
      taxonomyRecord(await updateTaxonomy(ctx, params.name, body, wantedVersion(request, body.version))),
  }),
  route({
    method: 'DELETE',
    path: '/api/taxonomies/:name',
    summary: 'Delete a taxonomy and its terms; they are removed from entries',
    auth: ['session', 'agent'],
    access: needs('taxonomy.manage'),
    params: nameParams,
    body: versionInput,
    output: 'empty',
    run: async (ctx, { params, body, request }) => {
      await removeTaxonomy(ctx, params.name, wantedVersion(request, body.version))
      return undefined
    },
  }),
]

const ofTerms: Route[] = [
  route({
    method: 'GET',
    path: '/api/taxonomies/:name/terms',
    summary: 'List the terms of a taxonomy, parents before their children, siblings by position',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    params: nameParams,
    query: termsQuery,
    output: listOf(term),
    run: async (ctx, { params, query }) => {
      const { items, meta } = await listTerms(ctx, params.name, query)
      return { items: items.map(termJson), meta }
    },
  }),
  route({
    method: 'POST',
    path: '/api/taxonomies/:name/terms',
    summary: 'Create a term',
    auth: ['session', 'agent'],
    access: needs('taxonomy.manage'),
    params: nameParams,
    body: createTermInput,
    output: term,
    status: 201,
    run: async (ctx, { params, body }) => termRecord(await createTerm(ctx, params.name, body)),
  }),
  route({
    method: 'GET',
    path: '/api/taxonomies/:name/terms/:slug',
    summary: 'Read a term',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    params: termParams,
    output: term,
    run: async (ctx, { params }) => termRecord(await getTerm(ctx, params.name, params.slug)),
  }),
  route({
    method: 'PUT',
    path: '/api/taxonomies/:name/terms/:slug',
    summary: 'Update or move a term; its child terms move with it',
    auth: ['session', 'agent'],
    access: needs('taxonomy.manage'),
    params: termParams,
    body: updateTermInput,
    output: term,
    run: async (ctx, { params, body, request }) => {
      const at = { taxonomy: params.name, slug: params.slug }
      return termRecord(await updateTerm(ctx, at, body, wantedVersion(request, body.version)))
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/taxonomies/:name/terms/:slug',
    summary: 'Delete a term; it is removed from entries, and its child terms move up one level',
    auth: ['session', 'agent'],
    access: needs('taxonomy.manage'),
    params: termParams,
    body: versionInput,
    output: 'empty',
    run: async (ctx, { params, body, request }) => {
      await removeTerm(ctx, { taxonomy: params.name, slug: params.slug }, wantedVersion(request, body.version))
      return undefined
    },
  }),
]

export const taxonomyRoutes: Route[] = [...ofTaxonomies, ...ofTerms]
