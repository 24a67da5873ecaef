import { extname } from 'node:path'
import { isFresh } from '@stoa/kit/http/etag.ts'
import { contentDisposition } from '@stoa/kit/http/ranges.ts'
import { PUBLIC, type RawBody, type Reply, reply } from '@stoa/kit/http/route.ts'
import { z } from 'zod'
import type { CmsDb, Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { OPEN, type Route, route } from '../../people/access/access.ts'
import type { EnabledPlugin } from '../running/running.ts'
import { PUBLIC_SURFACE } from './surfaces.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

/** More than a person opens, less than a program needs to keep the database busy. */
const FILE_RATE = { limit: 600, windowSeconds: 60 }

/** The length of the hash in a file's URL. */
const HASH_DIGITS = 12
const FOR_EVER = 'public, max-age=31536000, immutable'

const versionQuery = z.looseObject({ v: z.string().optional() })

/** A file below `screens/`: for anybody, because it holds no data. */
export const screenRoute = (plugin: EnabledPlugin, path: string): Route =>
  fileRoute(plugin, `screens/${path}`, (ctx) => policyOf(ctx, plugin, "'none'"))

/** A page for people without an account: a screen that may call the plugin's public routes. */
export const pageRoute = (plugin: EnabledPlugin, file: string): Route =>
  fileRoute(plugin, file, (ctx) => policyOf(ctx, plugin, publicSources(ctx, plugin)))

const fileRoute = (plugin: EnabledPlugin, file: string, policy: (ctx: Ctx) => string): Route =>
  route({
    method: 'GET',
    path: `/ext/${plugin.name}/screens/*`,
    summary: `Files of ${plugin.manifest.label}`,
    auth: PUBLIC,
    access: OPEN,
    rate: FILE_RATE,
    crossOrigin: true,
    surface: PUBLIC_SURFACE,
    query: versionQuery,
    output: 'raw',
    run: async (ctx, { query, request }) =>
      sendPluginFile(ctx, plugin, {
        file,
        policy: policy(ctx),
        isVersioned: query.v === plugin.hash.slice(0, HASH_DIGITS),
        isKnown: isFresh(request.header('if-none-match'), etagOf(plugin)),
      }),
  })

/** Changes with any file of the plugin, so that a 304 needs no file to be read. */
const etagOf = ({ hash }: EnabledPlugin): string => `"${hash.slice(0, 32)}"`

const sendPluginFile = async (
  ctx: Ctx,
  plugin: EnabledPlugin,
  { file, policy, isVersioned, isKnown }: { file: string; policy: string; isVersioned: boolean; isKnown: boolean },
): Promise<Reply<RawBody>> => {
  const bytes = isKnown ? null : ((await findPluginFile(ctx.db, plugin.name, file)) ?? fail('ROUTE_NOT_FOUND'))
  const contentType = TYPES[extname(file).toLowerCase()]
  return reply(bytes, {
    etag: etagOf(plugin),
    contentType: contentType ?? 'application/octet-stream',
    headers: {
      'content-security-policy': policy,
      'cache-control': isVersioned ? FOR_EVER : 'no-cache',
      ...(contentType === undefined && {
        'content-disposition': contentDisposition('attachment', file.split('/').at(-1) ?? 'file'),
      }),
    },
  })
}

/**
 * No origin of its own, so neither cookies nor storage; nothing but its own files; and no way out but the port that the
 * admin hands it, or the public routes on a public page.
 */
const policyOf = ({ config }: Pick<Ctx, 'config'>, { name }: EnabledPlugin, connect: string): string => {
  const ext = `${new URL(config.publicUrl).origin}/ext`
  const own = `${ext}/${name}/screens/`
  return [
    'sandbox allow-scripts allow-forms',
    "default-src 'none'",
    `script-src ${own}`,
    `style-src ${own} ${ext}/ui.css`,
    `img-src ${own}`,
    `font-src ${own} ${ext}/ui/`,
    `connect-src ${connect}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ')
}

/** Longer lists of addresses do not fit into a header everywhere. */
const MAX_SOURCES_LENGTH = 2_000

const publicSources = ({ config }: Pick<Ctx, 'config'>, { name, manifest }: EnabledPlugin): string => {
  const root = `${new URL(config.publicUrl).origin}/ext/${name}`
  const open = manifest.routes.filter(({ auth }) => auth === 'public')
  if (open.length === 0) return "'none'"
  // A source that ends in a slash stands for all that begins with it.
  const sources = [...new Set(open.map(({ path }) => root + path.replace(/:.*$/, '')))].join(' ')
  return sources.length <= MAX_SOURCES_LENGTH ? sources : `${root}/`
}

/** A file of a plugin that is on, as it was when it was switched on or loaded again. */
const findPluginFile = async (db: CmsDb, plugin: string, path: string): Promise<Buffer | null> => {
  const [row] = await db.query<{ bytes: Buffer }>({
    name: 'find-plugin-file',
    text: `select f.bytes from plugin_file f join plugin p on p.name = f.plugin
      where f.plugin = $1 and f.path = $2 and p.enabled`,
    values: [plugin, path],
  })
  return row?.bytes ?? null
}
