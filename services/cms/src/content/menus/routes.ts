import { listOf } from '@stoa/cms-model/lists.ts'
import { createMenuInput, menu, updateMenuInput } from '@stoa/cms-model/menus.ts'
import { versionEtag } from '@stoa/kit/http/etag.ts'
import { reply } from '@stoa/kit/http/route.ts'
import { needs, type Route, route } from '../../people/access/access.ts'
import { versionInput, wantedVersion } from '../../version-conflict.ts'
import { createMenu, getMenu, listMenus, type Menu, removeMenu, updateMenu } from './menus.ts'
import { menuJson, menusQuery, nameParams } from './schema.ts'

const record = (saved: Menu) => reply(menuJson(saved), { etag: versionEtag(saved.version) })

export const menuRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/menus',
    summary: 'List menus with their items, by name',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    query: menusQuery,
    output: listOf(menu),
    run: async (ctx, { query }) => {
      const { items, meta } = await listMenus(ctx, query)
      return { items: items.map(menuJson), meta }
    },
  }),
  route({
    method: 'POST',
    path: '/api/menus',
    summary: 'Create a menu',
    auth: ['session', 'agent'],
    access: needs('menus.manage'),
    body: createMenuInput,
    output: menu,
    status: 201,
    run: async (ctx, { body }) => record(await createMenu(ctx, body)),
  }),
  route({
    method: 'GET',
    path: '/api/menus/:name',
    summary: 'Read a menu with its items',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    params: nameParams,
    output: menu,
    run: async (ctx, { params }) => record(await getMenu(ctx, params.name)),
  }),
  route({
    method: 'PUT',
    path: '/api/menus/:name',
    summary: 'Update a menu; items replaces all items',
    auth: ['session', 'agent'],
    access: needs('menus.manage'),
    params: nameParams,
    body: updateMenuInput,
    output: menu,
    run: async (ctx, { params, body, request }) =>
      record(await updateMenu(ctx, params.name, body, wantedVersion(request, body.version))),
  }),
  route({
    method: 'DELETE',
    path: '/api/menus/:name',
    summary: "Delete a menu; this can't be undone",
    auth: ['session', 'agent'],
    access: needs('menus.manage'),
    params: nameParams,
    body: versionInput,
    output: 'empty',
    run: async (ctx, { params, body, request }) => {
      await removeMenu(ctx, params.name, wantedVersion(request, body.version))
      return undefined
    },
  }),
]
