import type { Mount, MountedRoutes } from '@stoa/kit/http/route.ts'
import type { Ctx, Services } from '../../context.ts'
import type { Access, CredentialKind, Route } from '../../people/access/access.ts'
import type { EnabledPlugin } from '../running/running.ts'
import { findShape, paramsOf, type Shape, segmentsOf, shapesOf } from './addresses.ts'
import { pageRoute, screenRoute } from './files.ts'
import { routeOf } from './routes.ts'
import { PUBLIC_SURFACE } from './surfaces.ts'
import { uiRoutes } from './ui.ts'

export { extSurfaces } from './surfaces.ts'

type Found = MountedRoutes<Ctx, CredentialKind, Access>

/** The manifest's rule for file names: none begins with a dot. */
const FILE_NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/

/** `/ext/*`: the routes, screens and pages of the plugins that are on, and what all screens look like. */
export const extMount = (
  { plugins }: Pick<Services, 'plugins'>,
  adminFolder: string,
): Mount<Ctx, CredentialKind, Access> => {
  const ui = uiRoutes(adminFolder)
  const known = new WeakMap<EnabledPlugin, Shape<DeclaredRoute>[]>()
  const shapesFor = (plugin: EnabledPlugin): Shape<DeclaredRoute>[] => {
    const shapes =
      known.get(plugin) ??
      shapesOf(plugin.manifest.routes.map((declared) => ({ path: declared.path, route: routeOf(plugin, declared) })))
    known.set(plugin, shapes)
    return shapes
  }
  return {
    path: '/ext/*',
    surface: PUBLIC_SURFACE,
    find(path) {
      const all = segmentsOf(path) ?? []
      const own = ui.get(all.join('/'))
      if (own) return { routes: [own], paramsOf: () => ({}) }
      const [name, ...segments] = all
      const plugin = name === undefined ? undefined : plugins.find(name)
      if (!plugin) return null
      switch (segments[0]) {
        case 'screens':
          return fileAt(plugin, segments.slice(1))
        case 'pages':
          return pageAt(plugin, segments.slice(1))
        default:
          return routesAt(shapesFor(plugin), segments)
      }
    },
  }
}

type DeclaredRoute = { path: string; route: Route }

const routesAt = (shapes: readonly Shape<DeclaredRoute>[], path: readonly string[]): Found | null => {
  const shape = findShape(shapes, path)
  if (!shape) return null
  return {
    routes: shape.items.map(({ route }) => route),
    // Each method may name the parameters as it likes.
    paramsOf: ({ method }) => paramsOf(shape.items.find(({ route }) => route.method === method)?.path ?? '', path),
  }
}

const fileAt = (plugin: EnabledPlugin, path: readonly string[]): Found | null =>
  path.length > 0 && path.every((segment) => FILE_NAME.test(segment))
    ? { routes: [screenRoute(plugin, path.join('/'))], paramsOf: () => ({}) }
    : null

const pageAt = (plugin: EnabledPlugin, path: readonly string[]): Found | null => {
  const page = path.length === 1 ? plugin.manifest.pages.find((one) => one.path === path[0]) : undefined
  return page ? { routes: [pageRoute(plugin, page.file)], paramsOf: () => ({}) } : null
}
