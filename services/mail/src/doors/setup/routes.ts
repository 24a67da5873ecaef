import { readBody } from '@stoa/kit/http/body.ts'
import { discardBody } from '@stoa/kit/http/discard-body.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { PUBLIC, type Reply, reply } from '@stoa/kit/http/route.ts'
import { parseEmail } from '@stoa/mail-model/email.ts'
import { z } from 'zod'
import { type Ctx, route } from '../../context.ts'
import { fail } from '../../errors.ts'
import { findLocalDomain } from '../../hosting/domains/domains.ts'
import { autoconfigDocument } from './autoconfig.ts'
import { autodiscoverDocument, autodiscoverError, isOfferedSchema, readAutodiscover } from './autodiscover.ts'
import { mobileconfigDocument } from './mobileconfig.ts'
import { AUTODISCOVER } from './paths.ts'

/** Documents that mail programs look for; the same for every address of a domain, so that nobody learns which there are. */
const open = { auth: PUBLIC, access: 'anyone', output: 'raw', crossOrigin: true } as const

const autoconfigQuery = z.object({ emailaddress: z.string().optional() })
/** Programs write these names in every way. */
const anyQuery = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

const document = z.object({ document: z.string().transform((name) => (/xml$/i.test(name) ? 'xml' : 'json')) })

/** A request of a mail program has a few hundred bytes. */
const MAX_REQUEST = 64 * 1024
const REQUEST_MS = 10_000

export const setupRoutes = [
  ...['/mail/config-v1.1.xml', '/.well-known/autoconfig/mail/config-v1.1.xml'].map((path) =>
    route({
      ...open,
      method: 'GET',
      path,
      summary: 'Settings for mail clients: autoconfig',
      query: autoconfigQuery,
      describes: { type: 'text/xml' },
      run: async (ctx, { query, request }) =>
        xml(autoconfigDocument(ctx.config, await domainFor(ctx, query.emailaddress, request))),
    }),
  ),
  route({
    ...open,
    method: 'POST',
    path: AUTODISCOVER,
    summary: 'Settings for mail clients: Autodiscover',
    params: document,
    form: z.looseObject({}),
    describes: { body: { 'text/xml': null }, type: 'text/xml' },
    run: async (ctx, { params, request }) => {
      const body = await readRequest(request)
      return params.document === 'xml'
        ? xml(await answerAutodiscover(ctx, body))
        : fail('method_not_allowed', { headers: { allow: 'GET, HEAD' } })
    },
  }),
  route({
    ...open,
    method: 'GET',
    path: AUTODISCOVER,
    summary: 'Autodiscover version 2 (version 1 uses POST)',
    params: document,
    query: anyQuery,
    describes: { type: 'application/json' },
    run: (ctx, { params, query }) =>
      params.document === 'xml'
        ? xml(autodiscoverError('invalid_request', ctx.now()))
        : locateAutodiscover(ctx, { email: memberOf(query, 'email'), query }),
  }),
  route({
    ...open,
    method: 'GET',
    path: `${AUTODISCOVER}/v1.0/:email`,
    summary: 'Autodiscover version 2, with the address in the path',
    params: document.extend({ email: z.string() }),
    query: anyQuery,
    describes: { type: 'application/json' },
    run: (ctx, { params, query }) =>
      params.document === 'json' ? locateAutodiscover(ctx, { email: params.email, query }) : fail('not_found'),
  }),
  route({
    ...open,
    method: 'GET',
    path: '/mail/mobileconfig',
    summary: 'Configuration profile for Apple devices',
    query: z.object({ email: z.string().optional() }),
    describes: { type: 'application/x-apple-aspen-config' },
    run: async (ctx, { query }) => {
      const { email, domain } = await ownAddress(ctx, 'email', query.email)
      const document = mobileconfigDocument(ctx.config, email) ?? fail('not_found', { message: CLOSED })
      return reply(document, {
        contentType: 'application/x-apple-aspen-config; charset=utf-8',
        headers: { 'content-disposition': `attachment; filename="${domain}.mobileconfig"` },
      })
    },
  }),
]

const CLOSED = "Mail clients can't connect to this server."

const xml = (document: string): Reply<string> => reply(document, { contentType: 'text/xml; charset=utf-8' })

/** An address at one of our domains. Whether it exists is not looked at. */
const ownAddress = async (
  ctx: Ctx,
  parameter: string,
  given: string | undefined,
): Promise<{ email: string; domain: string }> => {
  const email = parseEmail(given ?? '')
  if (email === null)
    return fail('invalid_parameter', { message: `Invalid \`${parameter}\` parameter: must be an email address.` })
  const domain = await findLocalDomain(ctx.db, email.slice(email.lastIndexOf('@') + 1))
  return domain ? { email, domain: domain.name } : fail('not_found', { message: "This domain isn't hosted here." })
}

/** Whose settings are asked for: of the address, of the name that the server was called by, or of the server itself. */
const domainFor = async (ctx: Ctx, email: string | undefined, request: Incoming): Promise<string> => {
  if (email !== undefined) return (await ownAddress(ctx, 'emailaddress', email)).domain
  const [, called] = /^autoconfig\.([^:]+)(?::\d+)?$/i.exec(request.header('host') ?? '') ?? []
  const domain = called === undefined ? null : await findLocalDomain(ctx.db, called)
  return domain?.name ?? ctx.config.hostname
}

const readRequest = async (request: Incoming): Promise<Buffer> => {
  try {
    return await readBody(request.raw, MAX_REQUEST, REQUEST_MS)
  } catch (error) {
    discardBody(request.raw, MAX_REQUEST)
    throw error
  }
}

const answerAutodiscover = async (ctx: Ctx, body: Buffer): Promise<string> => {
  const asked = readAutodiscover(body)
  const email = parseEmail(asked?.email ?? '')
  if (!asked || email === null) return autodiscoverError('invalid_request', ctx.now())
  if (!isOfferedSchema(asked.schema)) return autodiscoverError('no_such_schema', ctx.now())
  const domain = await findLocalDomain(ctx.db, email.slice(email.lastIndexOf('@') + 1))
  return domain ? autodiscoverDocument(ctx.config, email) : autodiscoverError('unknown_address', ctx.now())
}

type Query = z.output<typeof anyQuery>

const memberOf = (query: Query, name: string): string | undefined => {
  const value = Object.entries(query).find(([key]) => key.toLowerCase() === name)?.[1]
  return Array.isArray(value) ? value[0] : value
}

const locateAutodiscover = async (
  ctx: Ctx,
  { email, query }: { email: string | undefined; query: Query },
): Promise<Reply<string>> => {
  await ownAddress(ctx, 'Email', email)
  if (memberOf(query, 'protocol')?.toLowerCase() !== 'autodiscoverv1')
    return fail('invalid_parameter', { message: 'Invalid `Protocol` parameter: must be AutodiscoverV1.' })
  const url = new URL('/autodiscover/autodiscover.xml', ctx.config.publicUrl).href
  const body = JSON.stringify({ Protocol: 'AutodiscoverV1', Url: url })
  return reply(body, { contentType: 'application/json; charset=utf-8' })
}
