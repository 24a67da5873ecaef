import { systemClock } from '@stoa/kit/clock.ts'
import { type AppError, defineErrors, type FaultTable } from '@stoa/kit/errors.ts'
import { apiSurface } from '@stoa/kit/http/headers.ts'
import { routeFor } from '@stoa/kit/http/route.ts'
import { createHttp } from '@stoa/kit/http/server.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { z } from 'zod'
import { serveBench } from '../harness.ts'
import { hash, RECORD, TOKENS } from './record.ts'

type Principal = { role: string }
const { error } = defineErrors({
  refused: { status: 401, message: 'Refused' },
  failed: { status: 500, message: 'Failed' },
})
const anyFault = () => error('failed')
const faults: FaultTable = {
  invalid_input: anyFault,
  invalid_json: anyFault,
  too_large: anyFault,
  unsupported_media: anyFault,
  route_not_found: anyFault,
  method_not_allowed: anyFault,
  unauthenticated: anyFault,
  csrf: anyFault,
  origin_refused: anyFault,
  rate_limited: anyFault,
  conflict: anyFault,
  reference: anyFault,
  invalid_value: anyFault,
  unavailable: anyFault,
  internal: anyFault,
}

const thing = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  status: z.enum(['draft', 'published']),
  version: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  tags: z.array(z.string()),
  body: z.string(),
})

const route = routeFor<Principal, 'token', { role: string }>()

const app = createHttp<Principal, Principal, 'token', { role: string }>({
  routes: [
    route({
      method: 'GET',
      path: '/api/things/:id',
      summary: 'Read a thing',
      auth: ['token'],
      access: { role: 'reader' },
      params: z.object({ id: z.string() }),
      output: thing,
      run: () => ({ ...RECORD, status: 'published' as const }),
    }),
  ],
  log: createLogger({ name: 'bench', level: 'silent' }),
  clock: systemClock,
  publicUrl: 'http://localhost',
  trustedProxies: [],
  surfaces: { api: apiSurface('http://localhost') },
  faults,
  renderError: (raised: AppError) => ({ error: raised.message }),
  authenticate(request) {
    const principal = TOKENS.get(hash(request.header('authorization')?.slice('Bearer '.length) ?? ''))
    if (!principal) throw error('refused')
    return { principal, viaCookie: false }
  },
  authorise(principal, { access }) {
    if (principal.role !== access.role) throw error('refused')
  },
  context: (principal) => principal,
  csrfProof: true,
  ready: async () => undefined,
})
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
if (typeof address === 'object' && address) serveBench(address.port)
