import type { Readable } from 'node:stream'
import { type Reply, reply } from '@stoa/kit/http/route.ts'
import { z } from 'zod'
import { route } from '../../context.ts'
import { fail } from '../../errors.ts'
import { accessesOf, accessTo } from '../../hosting/shares/shares.ts'
import { mailboxOf, signInOf } from '../../principal.ts'
import { type Served, serveRequest } from './api.ts'
import { serveDownload } from './download.ts'
import { openEventSource } from './eventsource.ts'
import type { Jmap } from './jmap.ts'
import { orProblem, ProblemError } from './problems.ts'
import { sessionOf, sessionState } from './session.ts'
import { receiveUpload } from './upload.ts'

const open = { auth: ['mailbox', 'webmail'], access: 'mailbox', output: 'raw' } as const
/** The operation reads the body itself. */
const streamed = { ...open, form: z.looseObject({}) } as const

const JSON_TYPE = 'application/json; charset=utf-8'

const json = (body: unknown, headers: Record<string, string> = {}, status = 200): Reply<string> =>
  reply(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers,
    contentType: JSON_TYPE,
  })

/** A slow reader holds up only the own mailbox: nobody keeps more long answers in memory than there are places. */
const answerOf = (served: Served): Reply<string | Readable> =>
  typeof served === 'string' ? json(served) : reply(served, { contentType: JSON_TYPE })

/** Everything of JMAP that is plain HTTP. */
export const jmapRoutes = (jmap: Jmap) => [
  route({
    ...open,
    method: 'GET',
    path: '/.well-known/jmap',
    describes: { type: 'application/json' },
    summary: 'The JMAP session: accounts, capabilities and addresses (RFC 8620 §2)',
    run: async (ctx) => {
      const signIn = signInOf(ctx)
      const { config, database } = jmap.parts
      const accesses = await accessesOf(database.db, signIn.address)
      const state = sessionState(config, signIn, accesses)
      return json(
        { ...sessionOf(config, signIn, accesses), state },
        { 'cache-control': 'no-cache, no-store, must-revalidate' },
      )
    },
  }),
  route({
    ...streamed,
    method: 'POST',
    path: '/jmap',
    describes: { body: { 'application/json': null }, type: 'application/json' },
    summary: 'JMAP method calls (RFC 8620 §3)',
    run: (ctx, { request }) => orProblem(async () => answerOf(await serveRequest(jmap, signInOf(ctx), request))),
  }),
  route({
    ...streamed,
    method: 'POST',
    path: '/jmap/upload/:accountId',
    describes: { body: { '*/*': null }, type: 'application/json' },
    summary: "Upload a blob; it's deleted after a day if unused (RFC 8620 §6.1)",
    params: z.object({ accountId: z.string() }),
    run: (ctx, { params, request }) =>
      orProblem(async () => {
        const { address } = signInOf(ctx)
        const access = (await accessTo(jmap.parts.database.db, address, params.accountId)) ?? fail('not_found')
        if (!access.mayWrite)
          throw new ProblemError({ type: 'about:blank', status: 403, detail: 'This account is read-only.' })
        const leave = await jmap.uploads.enter(address.id)
        try {
          return json(await receiveUpload(jmap.parts, access, request), {}, 201)
        } finally {
          leave()
        }
      }),
  }),
  route({
    ...open,
    method: 'GET',
    path: '/jmap/download/:accountId/:blobId/*',
    summary: 'Download a message, a part or an upload (RFC 8620 §6.2)',
    params: z.object({ accountId: z.string(), blobId: z.string(), '*': z.string() }),
    query: z.object({ type: z.string().optional() }),
    run: (ctx, { params, query, request }) =>
      orProblem(async () => {
        const { address } = signInOf(ctx)
        const access = (await accessTo(jmap.parts.database.db, address, params.accountId)) ?? fail('not_found')
        return serveDownload(jmap, access, { ...params, name: params['*'], type: query.type, by: address.id }, request)
      }),
  }),
  route({
    ...open,
    method: 'GET',
    path: '/jmap/eventsource',
    describes: { type: 'text/event-stream' },
    summary: 'Stream of changes, as server-sent events (RFC 8620 §7.3)',
    query: z.object({
      types: z.string().optional(),
      closeafter: z.string().optional(),
      ping: z.string().optional(),
    }),
    run: (ctx, { query, request }) => orProblem(() => openEventSource(jmap, mailboxOf(ctx), query, request)),
  }),
]
