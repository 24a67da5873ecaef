import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strongEtag } from '@stoa/kit/http/etag.ts'
import { PUBLIC, reply } from '@stoa/kit/http/route.ts'
import { OPEN, type Route, route } from '../../people/access/access.ts'
import { PUBLIC_SURFACE } from './surfaces.ts'

const STYLESHEET = 'ext/ui.css'
const FONTS = 'assets'
const FONT_NAME = /^inter-[\w-]+\.woff2$/

type UiFile = { bytes: Buffer; contentType: string; caching: string }

/**
 * What makes a plugin's screen look at home: the stylesheet and its fonts, which the build of the admin made. They are read
 * once; no path is ever looked up on disk.
 */
export const uiRoutes = (adminFolder: string): ReadonlyMap<string, Route> =>
  new Map([...uiFiles(adminFolder)].map(([path, file]) => [path, uiRoute(path, file)]))

const uiFiles = function* (folder: string): Generator<[path: string, file: UiFile]> {
  const stylesheet = join(folder, STYLESHEET)
  if (!existsSync(stylesheet)) return
  yield ['ui.css', { bytes: readFileSync(stylesheet), contentType: 'text/css; charset=utf-8', caching: 'no-cache' }]
  // Their names hold a hash of what is in them.
  for (const name of readdirSync(join(folder, FONTS)).filter((one) => FONT_NAME.test(one)))
    yield [
      `ui/${name}`,
      {
        bytes: readFileSync(join(folder, FONTS, name)),
        contentType: 'font/woff2',
        caching: 'public, max-age=31536000, immutable',
      },
    ]
}

const uiRoute = (path: string, { bytes, contentType, caching }: UiFile): Route => {
  const etag = strongEtag(bytes)
  return route({
    method: 'GET',
    path: `/ext/${path}`,
    summary: 'Stylesheet for plugin screens',
    auth: PUBLIC,
    access: OPEN,
    crossOrigin: true,
    surface: PUBLIC_SURFACE,
    output: 'raw',
    run: () => reply(bytes, { etag, contentType, headers: { 'cache-control': caching } }),
  })
}
