import {
  type Plugin,
  plugin,
  pluginList,
  pluginReloadInput,
  pluginRuns,
  pluginScreens,
  pluginSettingsInput,
  pluginStateInput,
  uninstallPluginInput,
} from '@stoa/cms-model/plugins.ts'
import { versionEtag } from '@stoa/kit/http/etag.ts'
import { reply } from '@stoa/kit/http/route.ts'
import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { needs, OPEN, type Route, route } from '../../people/access/access.ts'
import { wantedVersion } from '../../version-conflict.ts'
import { reload, switchOn } from './install.ts'
import {
  getPlugin,
  listPlugins,
  listScreens,
  readRuns,
  requirePlugin,
  saveSettings,
  switchOff,
  uninstall,
} from './registry.ts'

/** For people only: installing a plugin gives it rights. */
const BY_PEOPLE = { auth: ['session'], access: needs('plugins.manage') } as const

const params = z.object({ name: z.string().min(1).max(255) })
const load = (ctx: Ctx, { params: { name } }: { params: z.infer<typeof params> }) => requirePlugin(ctx, name)

const answer = (record: Plugin) =>
  reply(record, record.recordVersion === null ? {} : { etag: versionEtag(record.recordVersion) })

export const pluginRoutes: Route[] = [
  route({
    ...BY_PEOPLE,
    method: 'GET',
    path: '/api/plugins',
    summary: 'List plugins, both installed and available',
    output: pluginList,
    run: async (ctx) => ({ items: await listPlugins(ctx) }),
  }),
  route({
    ...BY_PEOPLE,
    method: 'GET',
    path: '/api/plugins/:name',
    summary: 'Read a plugin with its state, settings and health',
    params,
    output: plugin,
    run: async (ctx, { params: { name } }) => answer(await getPlugin(ctx, name)),
  }),
  route({
    ...BY_PEOPLE,
    method: 'PUT',
    path: '/api/plugins/:name/state',
    summary: 'Turn a plugin on or off; turning it on for the first time installs it',
    params,
    body: pluginStateInput,
    output: plugin,
    load,
    run: async (ctx, { loaded, body, request }) => {
      const wanted = wantedVersion(request, body.version)
      if (!body.enabled) return answer(await switchOff(ctx, loaded, wanted))
      return answer(await switchOn(ctx, loaded, { approve: body.approve ?? false, wanted }))
    },
  }),
  route({
    ...BY_PEOPLE,
    method: 'PUT',
    path: '/api/plugins/:name/settings',
    summary: 'Update the settings that a plugin declares',
    params,
    body: pluginSettingsInput,
    output: plugin,
    load,
    run: async (ctx, { loaded, body, request }) =>
      answer(await saveSettings(ctx, loaded, body.settings, wantedVersion(request, body.version))),
  }),
  route({
    ...BY_PEOPLE,
    method: 'POST',
    path: '/api/plugins/:name/reload',
    summary: 'Reload a plugin from its folder',
    params,
    body: pluginReloadInput,
    output: plugin,
    load,
    run: async (ctx, { loaded, body, request }) => {
      const wanted = wantedVersion(request, body.version)
      return answer(await reload(ctx, loaded, { approve: body.approve ?? false, wanted }))
    },
  }),
  route({
    ...BY_PEOPLE,
    method: 'DELETE',
    path: '/api/plugins/:name',
    summary: 'Uninstall a plugin and delete its data; requires its name as confirmation',
    params,
    body: uninstallPluginInput,
    output: 'empty',
    load,
    run: async (ctx, { loaded, body, request }) => {
      await uninstall(ctx, loaded, body.name, wantedVersion(request, body.version))
      return undefined
    },
  }),
  route({
    ...BY_PEOPLE,
    method: 'GET',
    path: '/api/plugins/:name/runs',
    summary: "List a plugin's recent runs, newest first",
    params,
    output: pluginRuns,
    load,
    run: async (ctx, { loaded }) => ({ items: await readRuns(ctx, loaded) }),
  }),
  route({
    auth: ['session'],
    access: OPEN,
    method: 'GET',
    path: '/api/plugin-screens',
    summary: 'List plugin screens and panels available to you',
    output: pluginScreens,
    run: (ctx) => listScreens(ctx),
  }),
]
