import { PUBLIC, type Reply, reply } from '@stoa/kit/http/route.ts'
import { type Ctx, route } from '../../context.ts'
import { fail } from '../../errors.ts'
import { findLocalDomain, findPolicyMode } from '../../hosting/domains/domains.ts'

const open = {
  auth: PUBLIC,
  access: 'anyone',
  output: 'raw',
  crossOrigin: true,
  describes: { type: 'text/plain' },
} as const

export const wellKnownRoutes = [
  route({
    ...open,
    method: 'GET',
    path: '/.well-known/mta-sts.txt',
    summary: 'MTA-STS policy of the requested domain',
    run: async (ctx, { request }) => text(await mtaStsPolicy(ctx, request.header('host') ?? '')),
  }),
  route({
    ...open,
    method: 'GET',
    path: '/.well-known/security.txt',
    summary: 'Security contact',
    run: (ctx) => text(securityText(ctx)),
  }),
]

/** A week: long enough to protect, short enough to change one's mind (RFC 8461 §3.2). */
const MAX_AGE_SECONDS = 604_800

/** The policy of a domain that is hosted here; for any other name there is none. */
const mtaStsPolicy = async (ctx: Ctx, host: string): Promise<string> => {
  const [, name] = /^mta-sts\.([^:]+?)\.?(?::\d+)?$/i.exec(host) ?? []
  const domain = name === undefined ? null : await findLocalDomain(ctx.db, name)
  if (!domain) return fail('not_found', { message: "This domain isn't hosted here." })
  const mode = (await findPolicyMode(ctx.db, domain.id)) ?? 'none'
  const lines = [
    'version: STSv1',
    `mode: ${mode}`,
    ...(mode === 'none' ? [] : ctx.config.mxHosts.map((mx) => `mx: ${mx}`)),
    `max_age: ${MAX_AGE_SECONDS}`,
  ]
  return lines.map((line) => `${line}\r\n`).join('')
}

const DAY_MS = 86_400_000
/** RFC 9116 §2.5.5 advises less than a year. */
const EXPIRES_DAYS = 180

const securityText = ({ config, now }: Ctx): string => {
  if (config.securityContact === null) return fail('not_found')
  const expires = new Date(Math.floor(now().getTime() / DAY_MS + EXPIRES_DAYS) * DAY_MS)
  const lines = [
    `Contact: ${contactUri(config.securityContact)}`,
    `Expires: ${expires.toISOString().replace('.000Z', 'Z')}`,
    `Canonical: ${new URL('/.well-known/security.txt', config.publicUrl).href}`,
  ]
  return lines.map((line) => `${line}\r\n`).join('')
}

/** RFC 9116 §2.5.3 wants a URI; an address alone is one in the making. */
const contactUri = (contact: string): string => (/^[^:@\s]+@[^:@\s]+$/.test(contact) ? `mailto:${contact}` : contact)

const text = (document: string): Reply<string> => reply(document, { contentType: 'text/plain; charset=utf-8' })
