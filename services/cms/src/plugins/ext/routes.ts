import type { PluginRoute } from '@stoa/cms-model/plugin-manifest.ts'
import type { Rate } from '@stoa/kit/http/rate-limit.ts'
import { PUBLIC } from '@stoa/kit/http/route.ts'
import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { type Access, type CredentialKind, needs, OPEN, type Route, route } from '../../people/access/access.ts'
import type { Caller, EnabledPlugin } from '../running/running.ts'
import type { Json } from '../sandbox/sandbox.ts'
import { answerOf } from './answer.ts'
import { PUBLIC_SURFACE } from './surfaces.ts'

/** The limit per client address and route. */
const PUBLIC_RATE: Rate = { limit: 10, windowSeconds: 60 }

const anyParams = z.record(z.string(), z.string())
const anyQuery = z.record(z.string(), z.union([z.string(), z.array(z.string())]))
const anyBody = z.json()

/** What a plugin declares as a route, as one of the service: the same checks, and an operation that asks the plugin. */
export const routeOf = (plugin: EnabledPlugin, declared: PluginRoute): Route => {
  const { method, path } = declared
  const hasBody = method !== 'GET'
  return route({
    method,
    path: `/ext/${plugin.name}${path}`,
    summary: `${plugin.manifest.label}: ${method} ${path}`,
    ...credentials(plugin, declared),
    params: anyParams,
    query: anyQuery,
    ...(hasBody && { body: anyBody }),
    output: 'raw',
    run: (ctx, { params, query, body, request }) =>
      answerOf(ctx, plugin, {
        kind: 'route',
        name: `${method} ${path}`,
        input: {
          method,
          path: pathOf(request.raw.url ?? '', plugin),
          params,
          query,
          body: hasBody ? (body as Json) : null,
          actor: actorOf(ctx),
        },
        caller: callerOf(ctx),
      }),
  })
}

type Credentials = {
  auth: readonly [CredentialKind] | typeof PUBLIC
  access: Access
  surface?: string
  rate?: Rate
  crossOrigin?: true
}

const credentials = ({ name }: EnabledPlugin, { auth, permission }: PluginRoute): Credentials => {
  switch (auth) {
    case 'session':
      if (permission === undefined) throw new Error(`A route of the plugin ${name} does not say who may call it`)
      return { auth: ['session'], access: needs(permission) }
    case 'delivery':
      return { auth: ['delivery'], access: OPEN, surface: 'delivery' }
    case 'public':
      return { auth: PUBLIC, access: OPEN, rate: PUBLIC_RATE, crossOrigin: true, surface: PUBLIC_SURFACE }
  }
}

const callerOf = ({ principal }: Ctx): Caller =>
  principal.kind === 'session' ? { kind: 'person', account: principal.account } : { kind: 'visitor' }

const actorOf = ({ principal }: Ctx): Json => {
  if (principal.kind !== 'session') return null
  const { id, name, role } = principal.account
  return { id, name, role }
}

/** The path as sent, without `/ext` and the plugin's name. */
const pathOf = (url: string, { name }: EnabledPlugin): string => {
  const [path = ''] = url.split('?', 1)
  return path.slice(`/ext/${name}`.length)
}
