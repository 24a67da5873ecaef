import { readNoQuery } from '@stoa/cms-model/delivery/query.ts'
import {
  deliveredList,
  deliveredMenu,
  deliveredOne,
  deliveredSettings,
  deliveredTaxonomy,
  deliveredTypes,
  entryQueryParameters,
  listQueryParameters,
} from '@stoa/cms-model/delivery.ts'
import { deliveredDesign } from '@stoa/cms-model/design.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import type { MaybePromise } from '@stoa/kit/http/route.ts'
import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { failFields } from '../../errors.ts'
import { OPEN, type Route, route } from '../../people/access/access.ts'
import { deliveryOf } from '../../principal.ts'
import { deliverDesign } from '../design/design.ts'
import { ALL_MEDIA, type Sources } from './changes.ts'
import { getEntry, getSingle, listEntries, listTypes } from './content.ts'
import { getMenu, getSettings } from './menus.ts'
import type { Answer, Json } from './response-cache.ts'
import { getTaxonomy } from './taxonomies.ts'
import { currentView, responseKey, type View } from './view.ts'

const DELIVERY = { auth: ['delivery'], access: OPEN, surface: 'delivery', output: 'raw' } as const

const typeParams = z.object({ type: z.string() })
const entryParams = z.object({ type: z.string(), slug: z.string() })
const nameParams = z.object({ name: z.string() })

type Question = { search: URLSearchParams; sources: Sources }
type Make = (view: View, question: Question) => MaybePromise<Json>

/** From memory, unless something has changed; made of what the key may see, and of nothing but key and address. */
const answer = (ctx: Ctx, request: Incoming, path: string, make: Make): ReturnType<Answer['answer']> => {
  const principal = deliveryOf(ctx)
  const url = request.raw.url ?? ''
  const made = ctx.delivery.responses.answer(responseKey(principal, url), path, async (sources) => {
    const start = url.indexOf('?')
    const search = new URLSearchParams(start === -1 ? '' : url.slice(start + 1))
    return make(await currentView(ctx, principal), { search, sources })
  })
  return made instanceof Promise ? made.then((answer) => answer.answer(request)) : made.answer(request)
}

/** A route that takes no parameters in its query. */
const withoutQuery =
  (make: (view: View, question: Question) => MaybePromise<object>): Make =>
  async (view, question) => {
    const problems = readNoQuery(question.search)
    if (problems.length > 0) failFields(problems)
    return JSON.stringify(await make(view, question))
  }

export const deliveryRoutes: readonly Route[] = [
  route({
    ...DELIVERY,
    method: 'GET',
    path: '/content',
    summary: 'Content types this key can read, with their fields',
    describes: { output: deliveredTypes },
    run: (ctx, { request }) =>
      answer(
        ctx,
        request,
        '/content',
        withoutQuery((view) => listTypes(view)),
      ),
  }),
  route({
    ...DELIVERY,
    method: 'GET',
    path: '/content/:type',
    summary: 'List published entries of a type',
    params: typeParams,
    describes: { query: listQueryParameters, output: deliveredList },
    run: (ctx, { params, request }) =>
      answer(ctx, request, '/content/:type', (view, question) =>
        listEntries(ctx, view, { typeName: params.type, ...question }),
      ),
  }),
  route({
    ...DELIVERY,
    method: 'GET',
    path: '/content/:type/single',
    summary: 'The published entry of a single type',
    params: typeParams,
    describes: { query: entryQueryParameters, output: deliveredOne },
    run: (ctx, { params, request }) =>
      answer(ctx, request, '/content/:type/single', (view, question) =>
        getSingle(ctx, view, { typeName: params.type, ...question }),
      ),
  }),
  route({
    ...DELIVERY,
    method: 'GET',
    path: '/content/:type/:slug',
    summary: 'One published entry',
    params: entryParams,
    describes: { query: entryQueryParameters, output: deliveredOne },
    run: (ctx, { params, request }) =>
      answer(ctx, request, '/content/:type/:slug', (view, question) =>
        getEntry(ctx, view, { typeName: params.type, slug: params.slug, ...question }),
      ),
  }),
  route({
    ...DELIVERY,
    method: 'GET',
    path: '/site/settings',
    summary: 'Site settings, with file URLs',
    describes: { output: deliveredSettings },
    run: (ctx, { request }) =>
      answer(
        ctx,
        request,
        '/site/settings',
        withoutQuery((view, { sources }) => getSettings(ctx, view, sources)),
      ),
  }),
  route({
    ...DELIVERY,
    method: 'GET',
    path: '/site/menus/:name',
    summary: 'A menu, with the URLs of its entries',
    params: nameParams,
    describes: { output: deliveredMenu },
    run: (ctx, { params, request }) =>
      answer(
        ctx,
        request,
        '/site/menus/:name',
        withoutQuery((view, { sources }) => getMenu(ctx, view, { name: params.name, sources })),
      ),
  }),
  route({
    ...DELIVERY,
    method: 'GET',
    path: '/site/taxonomies/:name',
    summary: 'A taxonomy, with the terms used by published entries',
    params: nameParams,
    describes: { output: deliveredTaxonomy },
    run: (ctx, { params, request }) =>
      answer(
        ctx,
        request,
        '/site/taxonomies/:name',
        withoutQuery((view, { sources }) => getTaxonomy(ctx, view, { name: params.name, sources })),
      ),
  }),
  route({
    ...DELIVERY,
    method: 'GET',
    path: '/site/design',
    summary: 'Site styles: values by surface, and a style sheet of custom properties',
    describes: { output: deliveredDesign },
    run: (ctx, { request }) =>
      answer(
        ctx,
        request,
        '/site/design',
        withoutQuery((_view, { sources }) => {
          sources.add(ALL_MEDIA)
          return deliverDesign(ctx)
        }),
      ),
  }),
]
