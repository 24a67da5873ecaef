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
import { getEntry, getSingle, listEntries, listTypes } from './content.ts'
import { getMenu, getSettings } from './menus.ts'
import type { Answer } from './responses.ts'
import { getTaxonomy } from './taxonomies.ts'
import { currentView, scopeKey, type View } from './view.ts'

const DELIVERY = { auth: ['delivery'], access: OPEN, surface: 'delivery', output: 'raw' } as const

const typeParams = z.object({ type: z.string() })
const entryParams = z.object({ type: z.string(), slug: z.string() })
const nameParams = z.object({ name: z.string() })

/** From memory, unless something has changed; made of what the key may see, and of nothing but key and address. */
const answer = (
  ctx: Ctx,
  request: Incoming,
  make: (view: View, search: URLSearchParams) => MaybePromise<object>,
): ReturnType<Answer['answer']> => {
  const principal = deliveryOf(ctx)
  const url = request.raw.url ?? ''
  const made = ctx.delivery.responses.answer(`${scopeKey(principal)} ${url}`, async () => {
    const start = url.indexOf('?')
    const search = new URLSearchParams(start === -1 ? '' : url.slice(start + 1))
    return JSON.stringify(await make(await currentView(ctx, principal), search))
  })
  return made instanceof Promise ? made.then((answer) => answer.answer(request)) : made.answer(request)
}

const withoutQuery = (search: URLSearchParams): void => {
  const problems = readNoQuery(search)
  if (problems.length > 0) failFields(problems)
}

export const deliveryRoutes: readonly Route[] = [
  route({
    ...DELIVERY,
    method: 'GET',
    path: '/content',
    summary: 'The types this key may read, with their fields',
    describes: { output: deliveredTypes },
    run: (ctx, { request }) =>
      answer(ctx, request, (view, search) => {
        withoutQuery(search)
        return listTypes(view)
      }),
  }),
  route({
    ...DELIVERY,
    method: 'GET',
    path: '/content/:type',
    summary: 'Published entries of a type, paged',
    params: typeParams,
    describes: { query: listQueryParameters, output: deliveredList },
    run: (ctx, { params, request }) =>
      answer(ctx, request, (view, search) => listEntries(ctx, view, params.type, search)),
  }),
  route({
    ...DELIVERY,
    method: 'GET',
    path: '/content/:type/single',
    summary: 'The published entry of a type that has one',
    params: typeParams,
    describes: { query: entryQueryParameters, output: deliveredOne },
    run: (ctx, { params, request }) =>
      answer(ctx, request, (view, search) => getSingle(ctx, view, params.type, search)),
  }),
  route({
    ...DELIVERY,
    method: 'GET',
    path: '/content/:type/:slug',
    summary: 'One published entry',
    params: entryParams,
    describes: { query: entryQueryParameters, output: deliveredOne },
    run: (ctx, { params, request }) =>
      answer(ctx, request, (view, search) => getEntry(ctx, view, { typeName: params.type, slug: params.slug, search })),
  }),
  route({
    ...DELIVERY,
    method: 'GET',
    path: '/site/settings',
    summary: 'The settings of the site, with the addresses of its files',
    describes: { output: deliveredSettings },
    run: (ctx, { request }) =>
      answer(ctx, request, (view, search) => {
        withoutQuery(search)
        return getSettings(ctx, view)
      }),
  }),
  route({
    ...DELIVERY,
    method: 'GET',
    path: '/site/menus/:name',
    summary: 'One menu, with the addresses of its entries',
    params: nameParams,
    describes: { output: deliveredMenu },
    run: (ctx, { params, request }) =>
      answer(ctx, request, (view, search) => {
        withoutQuery(search)
        return getMenu(ctx, view, params.name)
      }),
  }),
  route({
    ...DELIVERY,
    method: 'GET',
    path: '/site/taxonomies/:name',
    summary: 'One taxonomy, with the terms that published entries have',
    params: nameParams,
    describes: { output: deliveredTaxonomy },
    run: (ctx, { params, request }) =>
      answer(ctx, request, (view, search) => {
        withoutQuery(search)
        return getTaxonomy(ctx, view, params.name)
      }),
  }),
  route({
    ...DELIVERY,
    method: 'GET',
    path: '/site/design',
    summary: 'The looks that were set: values by surface, and a style sheet of custom properties',
    describes: { output: deliveredDesign },
    run: (ctx, { request }) =>
      answer(ctx, request, (_view, search) => {
        withoutQuery(search)
        return deliverDesign(ctx)
      }),
  }),
]
